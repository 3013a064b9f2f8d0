import { expect, it } from 'vitest';
import { typedCommand } from '../../../harness/cli/typed-command.ts';

const cwd = '/home/ann/app';
const link = `${cwd}/node_modules/.bin/fencepost`;

it.each([
  ['npx', { script: link, cwd, env: { npm_command: 'exec' } }, 'npx fencepost'],
  [
    'a script of package.json',
    { script: link, cwd, env: { npm_lifecycle_event: 'chaos', PATH: `${cwd}/node_modules/.bin` } },
    'npx fencepost',
  ],
  ['the path', { script: '/usr/bin/fencepost', cwd, env: { PATH: '/bin:/usr/bin' } }, 'fencepost'],
  ['its link', { script: link, cwd, env: { PATH: '/bin' } }, 'node_modules/.bin/fencepost'],
  ['node', { script: `${cwd}/dist/harness/cli/main.js`, cwd, env: {} }, 'node dist/harness/cli/main.js'],
  [
    'npm start',
    {
      script: `${cwd}/dist/harness/cli/main.js`,
      cwd,
      env: { npm_lifecycle_event: 'start', npm_package_name: 'fencepost' },
    },
    'npx fencepost',
  ],
  ['node from elsewhere', { script: '/opt/my tools/main.js', cwd, env: {} }, "node '/opt/my tools/main.js'"],
])('started by %s', (_, started, typed) => {
  expect(typedCommand(started)).toBe(typed);
});

/** Where the package lies, from its sources and from `dist` alike. */
import { existsSync } from 'node:fs';

/** The nearest folder above a module that has a `package.json`. */
export function packageFolder(from: string): URL {
  for (let folder = new URL('.', from); ; folder = new URL('..', folder)) {
    if (existsSync(new URL('package.json', folder)) || folder.pathname === '/') return folder;
  }
}

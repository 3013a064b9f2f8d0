/** Import rules of the layout (ARCHITECTURE.md): imports go one way. Checked by `npm run check`. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Folders whose code must not touch a clock, the disk, the network, a process or Math.random. */
const PURE = '^(src/lease|src/entries|harness/(checker|model|obligation|measure))/';

module.exports = {
  forbidden: [
    forbid('no-cycles', 'A cycle hides which part decides.', {}, { circular: true }),
    forbid(
      'core-stands-alone',
      'The core runs in production without the harness.',
      { path: '^src/' },
      { path: '^(harness|scenarios|test|bench)/' },
    ),
    forbid(
      'library-knows-no-scenarios',
      'Scenarios and mutants use the harness; only its command line lists them.',
      { path: '^harness/', pathNot: '^harness/cli/' },
      { path: '^scenarios/' },
    ),
    forbid(
      'rules-below-stores',
      'The rules of leases and entries know no store.',
      { path: '^src/(lease|entries)/' },
      { path: '^src/(stores|board|cli)/' },
    ),
    forbid(
      'leases-below-entries',
      'A fence looks at a lease; a lease knows no entry.',
      { path: '^src/lease/' },
      { path: '^src/entries/' },
    ),
    forbid(
      'text-stands-alone',
      'Layout knows nothing of what it lays out.',
      { path: '^src/text/' },
      { path: '^(src|harness)/', pathNot: '^src/text/' },
    ),
    forbid(
      'contract-is-types',
      'The Store contract stands on nothing.',
      { path: '^src/store\\.ts$' },
      { path: '.' },
    ),
    forbid(
      'stores-apart',
      'Stores do not know one another.',
      { path: '^src/stores/([^/]+)/' },
      { path: '^src/stores/', pathNot: '^src/stores/$1/' },
    ),
    forbid(
      'driver-in-its-store',
      'Each driver is imported only under its own store.',
      { path: '^(src|harness|scenarios)/', pathNot: '^src/stores/sqlite/' },
      { path: 'better-sqlite3' },
    ),
    forbid(
      'pure',
      'What decides must be replayable: no clock, disk, network or process.',
      { path: PURE },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'judgement-below-run',
      'Data goes one way: history, checkers, verdict, report.',
      { path: '^harness/(checker|model|obligation|measure|history)/' },
      { path: '^harness/(run|report/(?!results)|cli|process|nemesis|worker|workload)/' },
    ),
    forbid(
      'oracle-apart',
      'The second oracle shares no code with the sweep.',
      { path: '^harness/model/' },
      { path: '^harness/checker/(?!finding|guarantee)' },
    ),
    forbid(
      'report-reads-results',
      'A report renders results and never touches a run.',
      { path: '^harness/report/' },
      { path: '^harness/(run/(?!api)|process|nemesis|worker|workload|cli)/' },
    ),
    forbid(
      'worker-below-run',
      'A worker knows nothing of who started it.',
      { path: '^harness/(worker|workload)/' },
      { path: '^harness/(run|process|nemesis|report|cli|checker|obligation)/' },
    ),
    forbid(
      'board-on-the-contract',
      'The board runs on every store: it knows the contract and no engine.',
      { path: '^src/board/' },
      { path: '^src/(lease|entries|stores|cli)/' },
    ),
    forbid(
      'plan-on-the-contract',
      'A plan runs on every store: it knows the contract, the board below it, and no engine.',
      { path: '^src/plan/' },
      { path: '^src/(lease|entries|stores|cli)/' },
    ),
    forbid('board-below-plan', 'The board knows no plan.', { path: '^src/board/' }, { path: '^src/plan/' }),
    forbid(
      'plan-starts-fast',
      'Workers load the plan: only its tools for models load zod.',
      { path: '^src/plan/', pathNot: '^src/plan/tools/' },
      { path: 'node_modules/zod|^src/plan/tools/' },
    ),
    forbid(
      'jobs-on-their-store',
      'Jobs run on every job store: only the shared manager knows an engine.',
      { path: '^src/jobs/', pathNot: '^src/jobs/shared\\.ts$' },
      { path: '^src/(stores|lease/(?!json\\.ts)|entries|plan|cli)/' },
    ),
    forbid(
      'job-stores-know-the-protocol',
      'A job store knows what a job is and the protocol, and no manager.',
      { path: '^src/stores/' },
      { path: '^src/jobs/(?!(job|store|rules|owing|outbound/(entry|rules))\\.ts)' },
    ),
    forbid(
      'job-rules-pure',
      'What is decided about a job must be replayable.',
      { path: '^src/jobs/(job|store|rules|owing|reconcile-rule|backoff|info|outbound/(entry|rules))\\.ts$' },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'jobs-apart',
      'Board and plan know no jobs.',
      { path: '^src/(board|plan|lease|entries)/' },
      { path: '^src/jobs/' },
    ),
    forbid(
      'core-cli-last',
      'Nothing imports the `blackboard` command.',
      { pathNot: '^src/cli/' },
      { path: '^src/cli/' },
    ),
    forbid(
      'cli-last',
      'Nothing imports the command line.',
      { pathNot: '^harness/cli/' },
      { path: '^harness/cli/' },
    ),
    forbid(
      'no-dev-dependencies',
      'What is published must not need a development package.',
      { path: '^(src|harness|scenarios)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
    forbid('resolvable', 'Every import must resolve.', {}, { couldNotResolve: true }),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js'],
    },
  },
};

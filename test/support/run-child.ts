/** Child processes of tests: forked, spoken to over IPC, and proven gone at the end. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly process: ChildProcess;
  /** Sends a message and waits for the answer. Fails when the child ends first, or says that it failed. */
  ask(message: unknown): Promise<unknown>;
  send(message: unknown): void;
  /** The next message of the child's own accord. */
  next(): Promise<unknown>;
  kill(): Promise<void>;
}

const running = new Set<Child>();

/** Forks a module beside the test. The child is ready when it has sent its first message. */
export async function startChild(module: URL): Promise<Child> {
  const process = fork(fileURLToPath(module), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const child: Child = {
    process,
    async ask(message) {
      const answer = nextMessage(process);
      process.send(message as object);
      return answer;
    },
    send: (message) => void process.send(message as object),
    next: () => nextMessage(process),
    async kill() {
      if (process.exitCode === null && process.signalCode === null) {
        process.kill('SIGKILL');
        await once(process, 'exit');
      }
      running.delete(child);
    },
  };
  running.add(child);
  await nextMessage(process);
  return child;
}

/** Ends every child that a test has left. Call it in `afterEach`. */
export async function endChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.kill()));
}

function nextMessage(process: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (body: () => void) => {
      process.off('message', onMessage);
      process.off('exit', onExit);
      body();
    };
    const onMessage = (message: { failed?: string }) =>
      settle(() => (message?.failed === undefined ? resolve(message) : reject(new Error(message.failed))));
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`Expected an answer of the child, it ended with ${code ?? signal}.`)));
    process.on('message', onMessage);
    process.on('exit', onExit);
  });
}

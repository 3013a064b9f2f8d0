/** Writes that wait in memory for a moment. What is asked for in the same process is written first. */

interface Waiting {
  readonly keys: readonly string[];
  /** Writes now, if that has not happened yet. */
  readonly write: () => Promise<void>;
}

/** A buffer whose writes wait for `delay()`. */
export function writeBuffer(delay: () => Promise<void>) {
  const waiting = new Set<Waiting>();
  return {
    add(keys: readonly string[], act: () => unknown): void {
      let written: Promise<void> | undefined;
      const write = (): Promise<void> => {
        written ??= attempt(act).finally(() => waiting.delete(one));
        return written;
      };
      const one: Waiting = { keys, write };
      waiting.add(one);
      void delay().then(write);
    },
    /** Writes what concerns the keys now; all there is when none is named. */
    async flush(...keys: readonly string[]): Promise<void> {
      const concerned = [...waiting].filter(
        (one) => keys.length === 0 || one.keys.some((key) => keys.includes(key)),
      );
      await Promise.all(concerned.map((one) => one.write()));
    },
  };
}

/** The caller has its answer: whatever goes wrong now, nobody can be told. */
async function attempt(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch {
    // As said.
  }
}

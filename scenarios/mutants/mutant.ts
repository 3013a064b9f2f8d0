/** What the registry tells of one store that is broken on purpose. Types only. */
export interface Mutant {
  readonly id: string;
  readonly title: string;
  /** `core`: a rule or a statement of the SQLite store replaced. `decorator`: wraps any store through the contract. */
  readonly kind: 'core' | 'decorator';
  /** Name of the module in this folder, without its ending. */
  readonly module: string;
  /** The guarantees that it breaks: a verdict `violated` names one of them. */
  readonly breaks: readonly string[];
  /** Without this in the run the mutant is rightly invisible. */
  readonly needs: string;
  /** Name of the scenario that shows it. Default `kill-mid-lease`. */
  readonly scenario?: string;
  /** A documented limit: why it survives. Nothing may accuse it. */
  readonly limit?: string;
  /** What the harness does not have yet and what would show it. It is not run until then. */
  readonly waitsFor?: string;
  /**
   * Stands around a user's own store after a green run (`fencepost run --power`), by the export `decorate` of its module: the
   * ids of the evidence without which nobody can notice it.
   */
  readonly power?: { readonly evidence: readonly string[] };
}

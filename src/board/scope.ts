/** What the parts of one handle share. */
import type { Store } from '../store.ts';
import type { LeaseDuration } from './lease-duration.ts';
import type { Namespaces } from './namespaces.ts';

/** One worker on one board. */
export interface Scope {
  readonly store: Store;
  readonly namespaces: Namespaces;
  readonly leaseDuration: LeaseDuration;
  readonly orchestrator: string;
  readonly label: string;
  /** A request id that nobody ever had. */
  readonly request: () => string;
}

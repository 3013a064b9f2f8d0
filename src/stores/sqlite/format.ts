/** What one kind of database file of ours is: its identity and its tables. */

export interface FileFormat {
  /** For messages: `a Fencepost store`. */
  readonly what: string;
  /** `application_id`: by it a file says whose it is. */
  readonly applicationId: number;
  /** `user_version` of the tables. */
  readonly version: number;
  /** SQL that makes the tables, the one of the clock's anchors among them. */
  readonly schema: string;
  readonly tables: readonly string[];
  /** SQL, one number or null each: the newest instants at which anything in the file happened. */
  readonly instants: readonly string[];
}

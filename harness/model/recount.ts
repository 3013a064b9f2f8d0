export interface RawRecord {
  readonly file: string;
  readonly record: Readonly<Record<string, unknown>>;
}

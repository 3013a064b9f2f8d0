/** A tool as every LLM SDK knows it: a name, a description, a JSON Schema, and something to call. */
import { z } from 'zod';
import { refusal } from '../refusals.ts';

export interface Tool {
  readonly name: string;
  /** For the model: what it does, and when. */
  readonly description: string;
  /** Arguments as zod knows them. */
  readonly input: z.ZodObject;
  /** The same as JSON Schema (draft 2020-12). */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Answers a text for the model. What others wrote stands in it only between the two halves of a labelled fence. A refusal, and
   * arguments that do not fit the schema, are texts that begin with `REJECTED`; thrown are failures of the store.
   */
  readonly handler: (input: unknown) => Promise<string>;
}

/** Makes a tool whose arguments are checked before its body runs. */
export function defineTool<Input extends z.ZodObject>(options: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly run: (input: z.output<Input>) => Promise<string>;
}): Tool {
  const { name, description, input, run } = options;
  return {
    name,
    description,
    input,
    inputSchema: z.toJSONSchema(input),
    async handler(given) {
      const parsed = input.safeParse(given ?? {});
      if (parsed.success) return run(parsed.data);
      return refusal(
        'invalid',
        `Expected the arguments of ${name} to fit its schema, found:\n${z.prettifyError(parsed.error)}`,
      ).message;
    },
  };
}

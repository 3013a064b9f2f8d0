/** stdin and stdout as the two halves of a protocol. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** Closes when stdin ends: an agent that is gone must not leave its server behind. */
export function stdioTransport({ stdin, stdout }: Pick<NodeJS.Process, 'stdin' | 'stdout'>): Transport {
  const transport = new StdioServerTransport(stdin, stdout);
  for (const event of ['end', 'close'] as const) stdin.once(event, () => void transport.close());
  return transport;
}

/** Reads the settings of a board from a YAML or JSON file. */
import { readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { FencepostError } from '../errors.ts';
import { type BoardConfig, parseBoardConfig } from './config.ts';

const MAX_BYTES = 1 << 20;

/**
 * Loads and checks a file of settings. JSON is YAML too.
 *
 * @throws FencepostError `BOARD_CONFIG`
 * @example
 * const { namespaces, leaseMs } = loadBoardConfig('board.yaml');
 * const board = createBoard({ store, namespaces, leaseMs });
 */
export function loadBoardConfig(path: string): BoardConfig {
  return parseBoardConfig(readYaml(path), path);
}

function readYaml(path: string): unknown {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new Error(`${size} bytes`);
    return parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new FencepostError(
      'BOARD_CONFIG',
      `Expected ${path} to be a readable YAML or JSON file of at most ${MAX_BYTES} bytes, found: ${said}`,
      { definite: true, cause },
    );
  }
}

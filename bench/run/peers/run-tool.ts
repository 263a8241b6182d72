/** Runs an installer to its end. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const TIMEOUT_MS = 600_000
const MOST_OUTPUT_BYTES = 16 * 2 ** 20
const TAIL_CHARACTERS = 600

/** What it printed. Rejects with the end of what it said when it fails, or when there is no such program. */
export async function runTool([program = '', ...args]: readonly string[]): Promise<string> {
  const options = { timeout: TIMEOUT_MS, maxBuffer: MOST_OUTPUT_BYTES }
  return promisify(execFile)(program, args, options).then(
    ({ stdout }) => stdout,
    (error: { message: string; stderr?: string }) => {
      throw new Error(`${program} failed: ${(error.stderr || error.message).trim().slice(-TAIL_CHARACTERS)}`)
    },
  )
}

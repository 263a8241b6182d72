import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../support/test-servers.ts'

/** The wall clock of a gateway process, in the hand of a test. What only grows (`performance.now`) it leaves alone. */
export interface JumpingClock {
  /** Variables for the environment of the process. */
  readonly environment: Readonly<Record<string, string>>
  /** How far it is ahead of the machine's clock, in milliseconds. */
  readonly offsetMs: number
  /** Resolves when it is set; the process looks a hundred times a second. */
  jump(byMs: number): Promise<void>
}

export async function jumpingClock(): Promise<JumpingClock> {
  const file = join(await temporaryDirectory(), 'clock-offset-ms')
  let offsetMs = 0
  const tell = async () => {
    // Read whole or not at all.
    await writeFile(`${file}.new`, String(offsetMs))
    await rename(`${file}.new`, file)
  }
  await tell()
  return {
    environment: {
      NODE_OPTIONS: `--import=${new URL('./clock-of-gateway.ts', import.meta.url).href}`,
      FAULTS_CLOCK_FILE: file,
    },
    get offsetMs() {
      return offsetMs
    },
    async jump(byMs) {
      offsetMs += byMs
      await tell()
    },
  }
}

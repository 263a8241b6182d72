import { runCommandLine } from './command-line.ts'
import { processHost } from './process-host.ts'
import packed from './package.json' with { type: 'json' }

/** The process: ends with the code that its command returns. */
async function main(): Promise<void> {
  process.exitCode = await runCommandLine(processHost(packed.version), process.argv.slice(2))
}

void main()

import { runCommandLine } from './command-line.ts'
import { beforeFirstRequest } from './gateway/ask.ts'
import { useHttpsProxy } from './gateway/https-proxy.ts'
import { processHost } from './process-host.ts'
import packed from './package.json' with { type: 'json' }

/** The process: ends with the code that its command returns. */
async function main(): Promise<void> {
  const host = processHost(packed.version)
  beforeFirstRequest(() => useHttpsProxy(process.env))
  process.exitCode = await runCommandLine(host, process.argv.slice(2))
}

void main()

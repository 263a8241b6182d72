/** Portkey's gateway, from npm: a proxy that is given the provider with each request and keeps no books. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Peer } from './peer.ts'
import { runTool } from './run-tool.ts'

const PACKAGE = '@portkey-ai/gateway'

/** Installs it into `directory`. Rejects with what npm says. */
export async function installPortkey(directory: string): Promise<Peer> {
  await runTool(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', directory, PACKAGE])
  const folder = join(directory, 'node_modules', PACKAGE)
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return {
    title: `portkey ${version}`,
    start: async ({ port, upstreamUrl, upstreamCredential }) => ({
      command: [process.execPath, join(folder, 'build/start-server.js'), `--port=${port}`, '--headless'],
      env: { NODE_ENV: 'production' },
      authorization: `Bearer ${upstreamCredential}`,
      headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstreamUrl },
    }),
  }
}

/** Which other gateways take part: those that a registry has, installed for this run, and those that the caller has. */
import { execFile } from 'node:child_process'
import { access, constants, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Peer, PeerWish } from './peer.ts'

/** Those that could be had. `say` prints why the others could not. */
export async function findPeers(wish: PeerWish, directory: string, say: (text: string) => void): Promise<Peer[]> {
  const wanted = wish.given.map(({ name, path }) => ({ name, find: () => findGiven(name, path) }))
  if (wish.fromRegistries) {
    wanted.push({ name: 'portkey', find: () => installPortkey(join(directory, 'portkey')) })
    wanted.push({ name: 'litellm', find: () => installLitellm(join(directory, 'litellm')) })
  }
  const found: Peer[] = wish.isBareWanted ? [BARE_PROXY] : []
  for (const { name, find } of wanted) {
    try {
      found.push(await find())
    } catch (error) {
      say(`${name} does not take part: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return found
}

const BARE_PROGRAM = fileURLToPath(new URL('./bare-carrier.ts', import.meta.url))

const BARE_PROXY: Peer = {
  title: 'bare',
  start: async ({ port, upstreamUrl, upstreamCredential }) => ({
    command: [process.execPath, BARE_PROGRAM],
    env: { PORT: String(port), UPSTREAM_PORT: new URL(upstreamUrl).port },
    // It changes no header either.
    authorization: `Bearer ${upstreamCredential}`,
    headers: {},
  }),
}

/** Rejects when there is no such program. */
async function findGiven(name: string, path: string): Promise<Peer> {
  const program = resolve(path)
  await access(program, constants.X_OK)
  return {
    title: name,
    start: async ({ port, upstreamUrl, upstreamCredential, key, directory }) => ({
      command: [program],
      env: {
        PORT: String(port),
        BENCH_UPSTREAM_URL: upstreamUrl,
        BENCH_UPSTREAM_KEY: upstreamCredential,
        BENCH_KEY: key,
        BENCH_DIRECTORY: directory,
      },
      authorization: `Bearer ${key}`,
      headers: {},
    }),
  }
}

const PORTKEY = '@portkey-ai/gateway'

/** Installs it into `directory`. Rejects with what npm says. */
async function installPortkey(directory: string): Promise<Peer> {
  await runTool(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', directory, PORTKEY])
  const folder = join(directory, 'node_modules', PORTKEY)
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

/** Installs it into an environment of its own in `directory`. Rejects when Python is missing, or with what pip says. */
async function installLitellm(directory: string): Promise<Peer> {
  await runTool(['python3', '-m', 'venv', directory])
  const pip = join(directory, 'bin/pip')
  await runTool([pip, 'install', '--quiet', '--disable-pip-version-check', 'litellm[proxy]'])
  const about = await runTool([pip, 'show', 'litellm'])
  return {
    title: `litellm ${/^Version: (\S+)/m.exec(about)?.[1] ?? ''}`.trim(),
    start: async (place) => {
      const config = join(place.directory, 'litellm.yaml')
      // Every JSON text is a YAML text.
      await writeFile(config, JSON.stringify(declare(place.upstreamUrl, place.upstreamCredential)))
      const program = join(directory, 'bin/litellm')
      return {
        command: [
          program,
          '--config',
          config,
          '--host',
          '127.0.0.1',
          '--port',
          String(place.port),
          '--num_workers',
          '1',
        ],
        // Its table of prices is otherwise looked for on the network.
        env: { LITELLM_MASTER_KEY: place.key, LITELLM_LOG: 'ERROR', LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
        authorization: `Bearer ${place.key}`,
        headers: {},
      }
    },
  }
}

function declare(upstreamUrl: string, upstreamCredential: string): object {
  const litellm_params = { model: 'openai/*', api_base: upstreamUrl, api_key: upstreamCredential }
  return { model_list: [{ model_name: '*', litellm_params }], litellm_settings: { telemetry: false } }
}

const TIMEOUT_MS = 600_000
const MOST_OUTPUT_BYTES = 16 * 2 ** 20
const TAIL_CHARACTERS = 600

/** What it printed. Rejects with the end of what it said when it fails, or when there is no such program. */
async function runTool([program = '', ...args]: readonly string[]): Promise<string> {
  const options = { timeout: TIMEOUT_MS, maxBuffer: MOST_OUTPUT_BYTES }
  return promisify(execFile)(program, args, options).then(
    ({ stdout }) => stdout,
    (error: { message: string; stderr?: string }) => {
      throw new Error(`${program} failed: ${(error.stderr || error.message).trim().slice(-TAIL_CHARACTERS)}`)
    },
  )
}

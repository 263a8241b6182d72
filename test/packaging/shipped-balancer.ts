/** The examples of `packaging/` for reverse proxies, run as they are shipped but for names, ports and certificates. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findOrInstall } from '../support/installed-tool.ts'
import { freePort } from '../support/kept-process.ts'
import { CERTIFICATE, KEY } from '../support/localhost-certificate.ts'
import { PATIENCE_MS } from '../support/patience.ts'

export type BalancerName = 'nginx' | 'caddy' | 'haproxy'

/** The host name that it serves, which the certificate is for. */
export const SERVED_HOST = 'localhost'

export interface ShippedBalancer {
  /** Where it listens with TLS, on 127.0.0.1. */
  readonly port: number
  stop(): Promise<void>
}

/**
 * Runs the example of one of them before gateways on these ports of 127.0.0.1. Resolves when it listens. `under`: the path
 * that it serves them under, as `docs/installing.md` has it for nginx and Caddy; left out, none.
 */
export async function startShippedBalancer(
  name: BalancerName,
  gateways: readonly number[],
  under = '',
): Promise<ShippedBalancer> {
  const program = await findOrInstall(name)
  // Not below /tmp, which others may not read: nginx's workers are another user's.
  const folder = await mkdtemp('/var/tmp/tollgate-before-it-')
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'certificate.pem'), CERTIFICATE)
  await writeFile(join(folder, 'key.pem'), KEY)
  await writeFile(join(folder, 'both.pem'), CERTIFICATE + KEY)
  const port = await freePort()
  const { args, env } = await BALANCERS[name]({ folder, port, gateways, under })
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(env === undefined ? {} : { env }) })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-20_000)))
  }
  const killChild = (): void => void child.kill('SIGKILL')
  process.once('exit', killChild)
  await listening(port, child, () => `${name} does not listen:\n${printed}`)
  return {
    port,
    async stop() {
      process.off('exit', killChild)
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

interface Place {
  readonly folder: string
  readonly port: number
  readonly gateways: readonly number[]
  readonly under: string
}

interface Launch {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const BALANCERS: Readonly<Record<BalancerName, (place: Place) => Promise<Launch>>> = {
  async nginx({ folder, port, gateways, under }) {
    const below = under === '' ? [] : nginxBelow(under)
    const server = await example('nginx/tollgate.conf', gateways, [
      ...below,
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      [`/etc/letsencrypt/live/${SERVED_HOST}/fullchain.pem`, join(folder, 'certificate.pem')],
      [`/etc/letsencrypt/live/${SERVED_HOST}/privkey.pem`, join(folder, 'key.pem')],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ')
    const config = join(folder, 'nginx.conf')
    await writeFile(
      config,
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary}\n${server}}`,
    )
    return { args: ['-c', config, '-p', folder] }
  },
  async caddy({ folder, port, gateways, under }) {
    const below = under === '' ? [] : caddyBelow(under)
    const site = await example('caddy/Caddyfile', gateways, [
      ...below,
      [
        `${SERVED_HOST} {`,
        `https://${SERVED_HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${join(folder, 'certificate.pem')} ${join(folder, 'key.pem')}`,
      ],
    ])
    const config = join(folder, 'Caddyfile')
    await writeFile(config, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
    return {
      args: ['run', '--config', config, '--adapter', 'caddyfile'],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    }
  },
  async haproxy({ folder, port, gateways }) {
    const config = join(folder, 'haproxy.cfg')
    const text = await example('haproxy/haproxy.cfg', gateways, [
      ['bind :443', `bind 127.0.0.1:${port}`],
      [`/etc/haproxy/${SERVED_HOST}.pem`, join(folder, 'both.pem')],
    ])
    // Only root can become another user.
    await writeFile(config, process.getuid?.() === 0 ? text : text.replaceAll(/^ {2}(user|group) haproxy\n/gm, ''))
    return { args: ['-f', config] }
  },
}

/** What `docs/installing.md` says of a path, for nginx. */
function nginxBelow(path: string): readonly (readonly [string, string])[] {
  return [
    ['location / {', `location = ${path} { return 301 ${path}/; }\n  location ${path}/ {`],
    ['proxy_pass http://tollgate;', `proxy_pass http://tollgate/;\n    proxy_set_header X-Forwarded-Prefix ${path};`],
  ]
}

/** What `docs/installing.md` says of a path, for Caddy. */
function caddyBelow(path: string): readonly (readonly [string, string])[] {
  return [
    [
      '\treverse_proxy {\n\t\timport nodes\n\t\t# A node',
      `\tredir ${path} ${path}/\n\thandle_path ${path}/* {\n\treverse_proxy {\n\t\timport nodes\n\t\theader_up X-Forwarded-Prefix ${path}\n\t\t# A node`,
    ],
    ['health_timeout 3s\n\t}', 'health_timeout 3s\n\t}\n\t}'],
  ]
}

const EXAMPLES = join(import.meta.dirname, '..', '..', 'packaging')
const EXAMPLE_HOST = 'tollgate.example.com'
/** The second is shipped as a comment. */
const EXAMPLE_GATEWAYS = [8787, 8788]

/** The example with the ports and the certificate of a test. A change that does not fit is an error. */
async function example(
  path: string,
  gateways: readonly number[],
  changes: readonly (readonly [string, string])[],
): Promise<string> {
  let text = await readFile(join(EXAMPLES, path), 'utf8')
  if (gateways.length > 1) text = text.replaceAll(/# (?=.*127\.0\.0\.1:8788)/g, '')
  const places = gateways.map((gateway, at) => [`127.0.0.1:${EXAMPLE_GATEWAYS[at]}`, `127.0.0.1:${gateway}`] as const)
  for (const [from, to] of [[EXAMPLE_HOST, SERVED_HOST] as const, ...places, ...changes]) {
    if (!text.includes(from)) throw new Error(`packaging/${path} does not have "${from}"`)
    text = text.replaceAll(from, to)
  }
  return text
}

async function listening(port: number, child: ChildProcess, complaint: () => string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await pause(50)
  }
  throw new Error(complaint())
}

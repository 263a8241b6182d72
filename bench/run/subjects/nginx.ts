/** Debian's nginx as a plain proxy in front of the fake upstream: what passing the bytes on costs at the least. */
import { mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/support/kept-process.ts'
import { UPSTREAM_CREDENTIAL } from './fake-upstream.ts'
import { PinnedProcess, answers, type PinnedOptions } from './pinned-process.ts'
import type { Subject } from './subject.ts'

const START_TIMEOUT_MS = 10_000

/** Starts one worker, or one for each core where it is not bound to one, with a port for whole answers and one for streams. `nginxPath`: its executable. */
export async function startNginx(nginxPath: string, upstreamPort: number, options: PinnedOptions): Promise<Subject> {
  const wholePort = await freePort()
  const streamPort = await freePort()
  const directory = join(options.directory, 'nginx')
  await mkdir(directory, { recursive: true })
  const config = join(directory, 'nginx.conf')
  await writeFile(config, writeConfig({ directory, upstreamPort, wholePort, streamPort, core: options.core }))
  const running = new PinnedProcess('nginx', [nginxPath, '-p', directory, '-c', config, '-e', 'stderr'], {
    ...options,
    // Killed, it would leave its worker behind.
    lastSignal: 'SIGTERM',
  })
  await running.untilReady(() => answers(`http://127.0.0.1:${wholePort}/__stats?requests=0`), START_TIMEOUT_MS)
  return {
    name: 'nginx',
    pid: running.pid,
    target: ({ stream, upstreamModel }) => ({
      port: stream ? streamPort : wholePort,
      model: upstreamModel,
      authorization: `Bearer ${UPSTREAM_CREDENTIAL}`,
    }),
    output: () => running.output,
    stop: () => running.stop('SIGQUIT'),
  }
}

const FOREVER = 'keepalive_requests 1000000000;'

interface Places {
  readonly directory: string
  readonly upstreamPort: number
  readonly wholePort: number
  readonly streamPort: number
  /** Null: one worker for each core. */
  readonly core: number | null
}

/**
 * Tuned so that it does nothing but pass bytes on: connections that never have to be opened again on either side, no
 * log, and bodies of 200 KB kept in memory (its default is a file from 16 KB on).
 */
function writeConfig({ directory, upstreamPort, wholePort, streamPort, core }: Places): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${join(directory, kind)};`)
    .join('\n')
  // Only root may change the user; others run it as themselves.
  const user = process.getuid?.() === 0 ? `user ${userInfo().username};` : ''
  return `daemon off;
${user}
worker_processes ${core === null ? 'auto' : 1};
pid ${join(directory, 'nginx.pid')};
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  ${FOREVER}
  client_max_body_size 32m;
  client_body_buffer_size 1m;
${temporary}
  upstream fake_upstream {
    server 127.0.0.1:${upstreamPort};
    keepalive 256;
    ${FOREVER}
  }${writeServer(wholePort, 'on')}${writeServer(streamPort, 'off')}
}
`
}

function writeServer(port: number, buffering: 'on' | 'off'): string {
  return `
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://fake_upstream;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering ${buffering};
    }
  }`
}

/** Builds the image without a daemon and without a host of images: on a base that is made here, of Debian and the pinned Node.js. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyNode, makeRoot, type RootSource } from './debian-root.ts'
import { needTools, runTool } from './run-tool.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BASE = 'localhost/tollgate-base'

/** The name of the image that is built. */
export const IMAGE = 'localhost/tollgate'

export interface Workshop {
  /** How the base came about. */
  readonly base: RootSource | 'kept'
  /** Flags of buildah and podman: where their images lie. */
  readonly storage: readonly string[]
  readonly folder: string
  /** Deletes all of it. */
  clear(): Promise<void>
}

/** Builds the base and the image, or takes those in PACKAGING_FOLDER. Takes minutes; rejects with what the build said. */
export async function buildImage(): Promise<Workshop> {
  if (process.getuid?.() !== 0) throw new Error('Building an image needs root: run the packaging tests as root.')
  await needTools({ buildah: 'buildah', skopeo: 'skopeo' })
  const kept = process.env['PACKAGING_FOLDER']
  if (kept !== undefined) return { base: 'kept', storage: storageIn(kept), folder: kept, clear: async () => {} }
  // Below /var/tmp: layers are hundreds of megabytes, and /tmp may be memory.
  const folder = await mkdtemp('/var/tmp/tollgate-image-')
  const storage = storageIn(folder)
  const context = join(folder, 'base')
  await mkdir(context)
  const base = await makeRoot(join(context, 'root.tar'))
  await addNode(context)
  await build(storage, ['--tag', BASE, context])
  const named = [`BASE_IMAGE=${BASE}`, 'VERSION=0.1.0-test', 'REVISION=0123456']
  await build(storage, ['--tag', IMAGE, ...named.flatMap((each) => ['--build-arg', each]), ROOT])
  return { base, storage, folder, clear: () => rm(folder, { recursive: true, force: true }) }
}

function storageIn(folder: string): readonly string[] {
  return ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
}

async function build(storage: readonly string[], args: readonly string[]): Promise<void> {
  await runTool(
    'buildah',
    ...storage,
    'build',
    '--format',
    'docker',
    '--isolation',
    'chroot',
    '--network',
    'host',
    ...args,
  )
}

/** The pinned Node.js and this machine's npm, as the official image has them, and the authorities that this machine trusts. */
async function addNode(context: string): Promise<void> {
  const within = (name: string) => join(context, name)
  await copyNode({ node: within('node'), npm: within('npm'), authorities: within('authorities.crt') })
  await writeFile(
    join(context, 'Dockerfile'),
    `FROM scratch
ADD root.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY authorities.crt /etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
`,
  )
}

/** What the image says of itself. */
export interface Inspected {
  readonly config: { readonly Cmd: readonly string[]; readonly Env: readonly string[]; readonly User?: string }
  readonly history: string
  /** Compressed. */
  readonly layerBytes: number
}

/** Writes the image as a layout of OCI, and returns what `skopeo inspect` says of it. */
export async function inspectImage({ storage, folder }: Workshop): Promise<Inspected> {
  const layout = `oci:${join(folder, 'layout')}:tollgate`
  await runTool('buildah', ...storage, 'push', IMAGE, layout)
  const about = JSON.parse((await runTool('skopeo', 'inspect', '--config', layout)).stdout) as {
    config: Inspected['config']
    history: readonly unknown[]
  }
  const { layers } = JSON.parse((await runTool('skopeo', 'inspect', '--raw', layout)).stdout) as {
    layers: readonly { size: number }[]
  }
  const layerBytes = layers.reduce((sum, { size }) => sum + size, 0)
  return { config: about.config, history: JSON.stringify(about.history), layerBytes }
}

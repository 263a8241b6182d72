/** Runs the built image with a read-only root, no rights and a user of its own, by the first of three ways that works here. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IMAGE, type Workshop } from './container-image.ts'
import { needTools, runTool } from './run-tool.ts'

const RUNGS = ['podman', 'runc', 'chroot'] as const
export type Rung = (typeof RUNGS)[number]

export interface ContainerOptions {
  readonly user: { readonly uid: number; readonly gid: number }
  /** A directory of this machine, mounted as /data. */
  readonly volume: string
  readonly port: number
}

export interface Container {
  /** Everything on stdout and stderr so far. */
  printed(): string
  /** Runs a program beside it, as `docker exec` does. */
  exec(...command: readonly string[]): Promise<{ readonly stdout: string }>
  /** SIGTERM to the container's first process; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Resolves with the exit code when it ends by itself. */
  readonly ended: Promise<number | null>
}

/** What is run: the image's root directory, and what its configuration says. */
export interface Runnable {
  readonly workshop: Workshop
  readonly rung: Rung
  readonly root: string
  readonly command: readonly string[]
  readonly variables: readonly string[]
}

/** Finds the first way that works on this machine; PACKAGING_RUNG names one. */
export async function makeRunnable(
  workshop: Workshop,
  config: { readonly Cmd: readonly string[]; readonly Env: readonly string[] },
): Promise<Runnable> {
  await needTools({ podman: 'podman', runc: 'runc', crun: 'crun' }).catch(() => {})
  const { stdout } = await runTool('buildah', ...workshop.storage, 'from', IMAGE)
  const mounted = await runTool('buildah', ...workshop.storage, 'mount', stdout.trim())
  const common = { workshop, root: mounted.stdout.trim(), command: config.Cmd, variables: config.Env }
  const wanted = process.env['PACKAGING_RUNG']
  for (const rung of RUNGS.filter((each) => wanted === undefined || each === wanted)) {
    const runnable = { ...common, rung }
    if (await works(runnable)) return runnable
  }
  throw new Error(`No container can be run here, by none of ${wanted ?? RUNGS.join(', ')}.`)
}

async function works(runnable: Runnable): Promise<boolean> {
  const volume = join(runnable.workshop.folder, `probe-${runnable.rung}`)
  await mkdir(volume, { recursive: true })
  const probe = { ...runnable, command: ['node', '--version'] }
  const container = await startContainer(probe, { user: { uid: 10001, gid: 0 }, volume, port: 8787 })
  return (await container.ended) === 0 && /^v\d+\./.test(container.printed())
}

let count = 0

/** Starts it; does not wait until it is ready. */
export async function startContainer(runnable: Runnable, options: ContainerOptions): Promise<Container> {
  count += 1
  const name = `tollgate-${process.pid}-${count}`
  const way = await WAYS[runnable.rung](runnable, options, name)
  const child = spawnOf([...way.run, ...(runnable.rung === 'runc' ? [] : runnable.command)])
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = once(child, 'close').then(() => child.exitCode)
  return {
    printed: () => printed,
    ended,
    exec(...command) {
      const [program = '', ...args] = [...way.exec, ...command]
      return runTool(program, ...args)
    },
    async stop() {
      const [program = '', ...args] = way.stop
      if (program === '') child.kill('SIGTERM')
      else await runTool(program, ...args)
      return ended
    },
  }
}

function spawnOf([program = '', ...args]: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The beginnings of the commands that start it, run something in it, and stop it (nothing: a signal to what was started). */
interface Way {
  readonly run: readonly string[]
  readonly exec: readonly string[]
  readonly stop: readonly string[]
}

const WAYS: Record<Rung, (runnable: Runnable, options: ContainerOptions, name: string) => Promise<Way>> = {
  podman: async ({ workshop }, { user, volume, port }, name) => {
    const podman = ['podman', ...workshop.storage]
    const confined = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--tmpfs=/tmp']
    // No service manager to ask for a group of its own, and no network to be made.
    const here = ['--cgroups=disabled', '--network=host', '--runtime=crun', `--volume=${volume}:/data`]
    const who = [`--user=${user.uid}:${user.gid}`, `--env=PORT=${port}`, `--name=${name}`]
    return {
      run: [...podman, 'run', '--rm', ...confined, ...here, ...who, IMAGE],
      exec: [...podman, 'exec', name],
      stop: [...podman, 'kill', '--signal=TERM', name],
    }
  },
  runc: async (runnable, options, name) => {
    const bundle = join(runnable.workshop.folder, name)
    await mkdir(bundle, { recursive: true })
    await writeFile(join(bundle, 'config.json'), JSON.stringify(ociConfig(runnable, options)))
    const runc = ['runc', '--root', join(runnable.workshop.folder, 'runc')]
    return {
      run: [...runc, 'run', '--bundle', bundle, name],
      exec: [...runc, 'exec', name],
      stop: [...runc, 'kill', name, 'TERM'],
    }
  },
  // Another root directory and another user, and nothing else of a container.
  chroot: async ({ root, variables }, { user, volume, port }) => {
    const mounts = [
      'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"',
      'mount --bind "$2" "$1/data" && mount -t tmpfs tmpfs "$1/tmp" && mount -t proc proc "$1/proc"',
    ].join(' && ')
    const script = `${mounts} || exit 125; root=$1; shift 2; exec chroot --userspec=${user.uid}:${user.gid} --groups=${user.gid} "$root" setpriv --no-new-privs env --chdir=/app "$@"`
    const variable = [...variables, `PORT=${port}`]
    const within = ['env', '--ignore-environment', ...variable, 'unshare', '--mount', 'sh', '-c', script, 'sh']
    return { run: [...within, root, volume], exec: [...within, root, volume], stop: [] }
  },
}

/** What a container is for runc, without groups of control, which not every machine lets us make. */
function ociConfig({ root, command, variables }: Runnable, { user, volume, port }: ContainerOptions): object {
  const special = (destination: string, type: string, options: readonly string[] = []) => ({
    destination,
    type,
    source: type,
    options: ['nosuid', ...options],
  })
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid: user.uid, gid: user.gid },
      args: command,
      env: [...variables, `PORT=${port}`],
      cwd: '/app',
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: root, readonly: true },
    mounts: [
      special('/proc', 'proc', ['noexec', 'nodev']),
      special('/dev', 'tmpfs', ['mode=755', 'size=65536k']),
      special('/tmp', 'tmpfs', ['nodev', 'mode=1777']),
      { destination: '/data', type: 'bind', source: volume, options: ['rbind', 'rw'] },
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  }
}

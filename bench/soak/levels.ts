/** What a running process holds, from `/proc`: sockets by the side they are on, other descriptors, threads, memory. */
import { readdir, readFile, readlink } from 'node:fs/promises'

export interface ProcessLevels {
  /** Connections that were made to its port by other processes than this one, which asks it how it is. */
  readonly clientSockets: number
  /** Connections that it made to the upstream's port. */
  readonly upstreamSockets: number
  /** Everything else that it has open: files, pipes, its own listening socket. What each leads to, as `/proc` names it. */
  readonly otherDescriptors: readonly string[]
  readonly threads: number
  readonly residentMb: number
}

export interface ReadPlace {
  readonly processId: number
  /** Where it listens. */
  readonly port: number
  readonly upstreamPort: number
  /** Where what it sends of itself goes: whether a connection is open there at a moment is chance. */
  readonly outsidePort: number
}

export async function readLevels({ processId, port, upstreamPort, outsidePort }: ReadPlace): Promise<ProcessLevels> {
  const directory = `/proc/${processId}`
  const before = await openFiles(directory)
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`${directory}/net/${name}`, 'utf8')))
  // A connection that was closed before the tables were read stands in none of them.
  const still = new Set(await openFiles(directory))
  const links = before.filter((link) => still.has(link))
  // The tables are of all connections.
  const connections = tables.flatMap(readConnections).filter(({ isListening }) => !isListening)
  const ownPorts = new Set(among(connections, await openFiles('/proc/self')).map(({ localPort }) => localPort))
  const open = among(connections, links)
  const toIt = open.filter(({ localPort }) => localPort === port)
  const toUpstream = open.filter(({ remotePort }) => remotePort === upstreamPort)
  const toOutside = open.filter(({ remotePort }) => remotePort === outsidePort)
  const known = new Set([...toIt, ...toUpstream, ...toOutside].map(({ inode }) => `socket:[${inode}]`))
  const status = await readFile(`${directory}/status`, 'utf8')
  return {
    clientSockets: toIt.filter(({ remotePort }) => !ownPorts.has(remotePort)).length,
    upstreamSockets: toUpstream.length,
    otherDescriptors: links.filter((link) => !known.has(link)),
    threads: numberIn(status, 'Threads'),
    residentMb: numberIn(status, 'VmRSS') / 1024,
  }
}

/** Resident memory of a process in MB. */
export async function readResidentMb(processId: number): Promise<number> {
  return numberIn(await readFile(`/proc/${processId}/status`, 'utf8'), 'VmRSS') / 1024
}

async function openFiles(directory: string): Promise<string[]> {
  const names = await readdir(`${directory}/fd`)
  const links = await Promise.all(names.map((name) => readlink(`${directory}/fd/${name}`).catch(() => null)))
  // What was closed since the list was read is not open.
  return links.filter((link) => link !== null)
}

/** The connections that a list of open files has. */
function among(connections: readonly Connection[], links: readonly string[]): readonly Connection[] {
  const open = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  return connections.filter(({ inode }) => open.has(inode))
}

interface Connection {
  readonly localPort: number
  readonly remotePort: number
  readonly isListening: boolean
  readonly inode: string
}

/** The lines of `/proc/PID/net/tcp`, as proc_pid_net(5) describes them. */
export function readConnections(table: string): Connection[] {
  return table
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/)
      return { localPort: portOf(local), remotePort: portOf(remote), isListening: state === '0A', inode }
    })
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)
}

function numberIn(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN)
}

/** A person's computer: a home directory, what its terminals show, and the command line of the gateway. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from '../../browser/place.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { temporaryDirectory } from '../../support/test-servers.ts'
import { type ClientRun, runClient, type Surroundings } from '../run-client.ts'
import type { SignInPlace } from './sign-in-place.ts'

export interface Computer extends Surroundings {
  /** Everything that was shown in its terminals so far. */
  shown(): string
  /** Notes what a terminal shows beside those of `run`. */
  readonly onPrinted: (text: string) => void
  /** Runs POSIX shell lines. */
  run(script: string): Promise<ClientRun>
  /** Runs the copy of the command line that `login` left here. */
  tollgate(words: string): Promise<ClientRun>
  /** Writes files by their paths below the home directory. */
  put(files: Readonly<Record<string, string>>): Promise<void>
  read(path: string): Promise<string>
  /** Command lines of processes of this computer that had a credential in them. */
  readonly tattlingCommands: ReadonlySet<string>
}

const WATCH_EVERY_MS = 25
const LOOKS = 4
const CREDENTIAL = /tg-d[ar]t-[\w-]{20,}|sk-tg-[\w-]{20,}/

export async function startComputer(about: {
  readonly packages: string
  readonly deadEnd: string
}): Promise<Computer & Disposable> {
  const home = await temporaryDirectory()
  const work = join(home, 'work')
  await mkdir(work)
  let shown = ''
  const tattlingCommands = new Set<string>()
  const look = watchCommands(home, tattlingCommands)
  const watch = setInterval(() => void look(), WATCH_EVERY_MS)
  const surroundings = { home, work, ...about, onPrinted: (text: string) => void (shown += text) }
  const computer: Computer = {
    ...surroundings,
    shown: () => shown,
    run: (script) => runClient(script, surroundings),
    tollgate: (words) => computer.run(`node ~/.local/share/tollgate-client/tollgate.cjs ${words}`),
    async put(files) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(home, path)), { recursive: true })
        await writeFile(join(home, path), text)
      }
    },
    read: (path) => readFile(join(home, path), 'latin1'),
    tattlingCommands,
  }
  return { ...computer, [Symbol.dispose]: () => clearInterval(watch) }
}

/** Runs what a person who has the link alone types, and approves the code that is shown. Resolves with the device's id. */
export async function signIn(
  computer: Computer,
  place: SignInPlace,
  { person, settings = {} }: { readonly person: Person; readonly settings?: object },
): Promise<string> {
  const from = computer.shown().length
  const signingIn = computer.run(`npx -y ${place.origin}/client.tgz login ${place.origin}`)
  const shown = (): string => computer.shown().slice(from)
  const until = performance.now() + PATIENCE_MS
  while (!shown().includes('Waiting for the approval') && performance.now() < until) await pause(50)
  const id = await place.approve(person, shown(), settings)
  const { code, stderr } = await signingIn
  if (code !== 0) throw new Error(`login ended with ${code}: ${stderr}`)
  return id
}

/** The folder of the only gateway that the computer is signed in at. */
export async function keptFolder({ home }: Computer): Promise<string> {
  const folder = join(home, '.local/share/tollgate-client/gateways')
  return join(folder, (await readdir(folder))[0] ?? '')
}

/** Lets the token be one that was renewed and asked for some minutes ago. `isPast`: it is over by the computer's own clock. */
export async function ageToken(
  computer: Computer,
  { isPast = false }: { readonly isPast?: boolean } = {},
): Promise<void> {
  const folder = await keptFolder(computer)
  const path = join(folder, 'access.json')
  const access = JSON.parse(await readFile(path, 'utf8')) as { expires_at_ms: number; renewed_at_ms: number }
  const { expires_at_ms: expiresAtMs, renewed_at_ms: renewedAtMs } = access
  const aged = { expires_at_ms: isPast ? 1 : expiresAtMs - AGED_MS, renewed_at_ms: renewedAtMs - AGED_MS }
  await writeFile(path, JSON.stringify({ ...access, ...aged }))
  await rm(join(folder, 'asked'), { force: true })
}

const AGED_MS = 600_000

/** Looks at each process some times after it is there, since it may become another program. Linux alone says what others run. */
function watchCommands(home: string, found: Set<string>): () => Promise<void> {
  const looks = new Map<string, number>()
  let isLooking = false
  return async () => {
    if (isLooking) return
    isLooking = true
    const ids = (await readdir('/proc').catch(() => [])).filter((id) => /^\d+$/.test(id))
    for (const id of looks.keys()) if (!ids.includes(id)) looks.delete(id)
    for (const id of ids) {
      const times = looks.get(id) ?? 0
      looks.set(id, times + 1)
      if (times > LOOKS) continue
      const command = await readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')
      if (!CREDENTIAL.test(command)) continue
      const variables = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')
      if (variables.split('\0').includes(`HOME=${home}`)) found.add(command.replaceAll('\0', ' '))
    }
    isLooking = false
  }
}

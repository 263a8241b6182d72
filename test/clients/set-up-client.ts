import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fillSnippet } from '../../console/setup/fill-snippet.ts'
import type { SetupValues } from '../../console/setup/placeholders.ts'
import type { SetupTextStep, SetupWay } from '../../src/contract/setup.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { type ClientRun, runClient } from './run-client.ts'

export interface SetupRun {
  readonly way: SetupWay
  readonly values: SetupValues
  /** The folder of `installedClients`. */
  readonly packages: string
  /** The URL that `startDeadEnd` gives. */
  readonly deadEnd: string
  /** How the person goes about it: for this terminal, by the file that keeps it, or without any file. */
  readonly by?: 'set' | 'keep' | 'without_file'
  /** An empty home directory; a fresh one unless given. */
  readonly home?: string
}

/**
 * Does what the console shows for a POSIX shell, in an empty home directory: writes the files, then runs in one bash the
 * commands that set the client up and the one that sends a first message. Installing is left out.
 */
export async function setUpClient({ way, values, packages, deadEnd, by = 'set', ...of }: SetupRun): Promise<ClientRun> {
  const home = of.home ?? (await temporaryDirectory())
  const work = join(home, 'work')
  await mkdir(work)
  await symlink(packages, join(work, 'node_modules'))
  const steps = textSteps(way)
  const chosen = CHOSEN[by](steps)
  const commands: string[] = []
  for (const step of chosen) {
    const isMarked = values.mark !== undefined && step.marked_text !== null
    const text = fillSnippet(isMarked ? { ...step, text: step.marked_text ?? '' } : step, values)
    if (step.kind === 'shell') commands.push(text)
    else await save(step.path ?? '', text, { home, work })
  }
  return runClient(commands.join('\n'), { home, work, packages, deadEnd })
}

const CHOSEN: Record<NonNullable<SetupRun['by']>, (steps: readonly SetupTextStep[]) => readonly SetupTextStep[]> = {
  set: (steps) => steps.filter(isSetOrTry),
  keep: (steps) => [...firstKept(steps), ...steps.filter(isTry)],
  without_file: (steps) => steps.filter(({ kind, purpose }) => kind === 'shell' && isWithoutFile(purpose)),
}

function isWithoutFile(purpose: SetupTextStep['purpose']): boolean {
  return purpose === 'set' || purpose === 'without_file'
}

function textSteps(way: SetupWay): SetupTextStep[] {
  const steps = way.systems.find(({ system }) => system === 'posix')?.steps ?? []
  return steps.filter((step) => step.kind !== 'settings')
}

function isSetOrTry({ purpose }: SetupTextStep): boolean {
  return purpose === 'set' || purpose === 'try'
}

function isTry({ purpose }: SetupTextStep): boolean {
  return purpose === 'try'
}

function firstKept(steps: readonly SetupTextStep[]): SetupTextStep[] {
  return steps.filter(({ purpose }) => purpose === 'keep').slice(0, 1)
}

async function save(path: string, text: string, place: { home: string; work: string }): Promise<void> {
  const file = path.startsWith('~/') ? join(place.home, path.slice(2)) : join(place.work, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Runs the clients of cells: one process for each cell of an agent, one for all cells of a program, whatever its package. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Cell, type CellOutcome, codeWord, judgeCell, promptOf } from './matrix-cell.ts'
import type { Agent, MatrixPlace } from './matrix-clients.ts'
import { type MatrixGateway, modelName } from './matrix-gateway.ts'
import { type ClientRun, runClient } from './run-client.ts'

export interface CellSetting {
  readonly gateway: MatrixGateway
  /** The folder of `installedClients`. */
  readonly packages: string
  /** The URL that `startDeadEnd` gives. */
  readonly deadEnd: string
  /** A folder for the homes of clients. */
  readonly folder: string
}

/** Cells that one process does. */
export type Batch =
  | { readonly agent: Agent; readonly cells: readonly [Cell] }
  | { readonly program: string; readonly cells: readonly Cell[] }

/** Each cell once. */
export function batchesOf(cells: readonly Cell[]): Batch[] {
  const batches = new Map<string, Batch>()
  for (const cell of cells) {
    const { client, keyName } = cell
    if (client.kind === 'agent') {
      batches.set(keyName, { agent: client, cells: [cell] })
    } else {
      const others = batches.get(client.name)?.cells ?? []
      batches.set(client.name, { program: client.name, cells: [...others, cell] })
    }
  }
  return [...batches.values()]
}

/** Runs the client in a home of its own, then asks the books what it did for each of the cells. */
export async function runBatch(batch: Batch, setting: CellSetting): Promise<CellOutcome[]> {
  const home = await mkdtemp(join(setting.folder, 'home-'))
  try {
    await mkdir(join(home, 'work'))
    const startedAt = performance.now()
    const runs = 'agent' in batch ? [await runAgent(batch, home, setting)] : await runProgram(batch, home, setting)
    const tookMs = Math.round(performance.now() - startedAt)
    const about = { gateway: setting.gateway, tookMs }
    return await Promise.all(batch.cells.map((cell, index) => judgeCell(cell, runs[index] ?? NOT_RUN, about)))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const NOT_RUN: ClientRun = { code: null, stdout: '', stderr: '' }

async function runAgent(
  { agent, cells: [cell] }: Extract<Batch, { agent: Agent }>,
  home: string,
  setting: CellSetting,
): Promise<ClientRun> {
  const place = await placeOf(cell, { folder: join(home, 'work'), setting })
  for (const [path, text] of Object.entries(agent.files(place))) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  return start(agent.script(place), home, setting)
}

/** The run of each cell, as if the process had been its own. */
async function runProgram(
  { program, cells }: Extract<Batch, { program: string }>,
  home: string,
  setting: CellSetting,
): Promise<ClientRun[]> {
  const work = join(home, 'work')
  await symlink(setting.packages, join(work, 'node_modules'))
  await cp(join(import.meta.dirname, 'programs'), join(work, 'programs'), { recursive: true })
  const tasks = await Promise.all(
    cells.map(async (cell, id) => {
      const folder = join(work, `cell-${id}`)
      await mkdir(folder)
      const use = cell.client.kind === 'program' ? cell.client.package : ''
      return { id, folder, package: use, ...(await placeOf(cell, { folder, setting })) }
    }),
  )
  await writeFile(join(work, 'tasks.json'), JSON.stringify(tasks))
  const script = `export TASKS=tasks.json\nnode programs/${program}.mjs`
  const run = await start(script, home, setting)
  const lines = linesOf(run.stdout)
  return cells.map((_, id) =>
    runOf(
      lines.filter(({ task }) => task === id),
      run,
    ),
  )
}

/** Puts the cell's note into the folder; the rest is what the client has to know. */
async function placeOf(cell: Cell, about: { folder: string; setting: CellSetting }): Promise<MatrixPlace> {
  const note = join(about.folder, 'note.txt')
  await writeFile(note, `The code word is ${codeWord(cell)}.\n`)
  const model = modelName(cell.client.modelPrefix, cell.upstream)
  return { origin: about.setting.gateway.origin, key: cell.secret, model, prompt: promptOf(cell, note) }
}

function start(script: string, home: string, { packages, deadEnd }: CellSetting): Promise<ClientRun> {
  return runClient(script, { home, work: join(home, 'work'), packages, deadEnd })
}

/** What programs/task.mjs prints. */
interface TaskLine {
  readonly task: number
  readonly answer?: string
  readonly error?: string
}

function linesOf(stdout: string): TaskLine[] {
  return stdout.split('\n').flatMap((line) => (line.startsWith('{"task":') ? [JSON.parse(line) as TaskLine] : []))
}

function runOf(lines: readonly TaskLine[], run: ClientRun): ClientRun {
  const errors = lines.flatMap(({ error }) => (error === undefined ? [] : [error]))
  const answers = lines.flatMap(({ answer }) => (answer === undefined ? [] : [JSON.stringify(answer)]))
  const code = run.code === 0 && errors.length > 0 ? 1 : run.code
  return { code, stdout: answers.join('\n'), stderr: [...errors, run.stderr].join('\n') }
}

// What every program here is given to do, and the one tool that it offers.
import { readFileSync } from 'node:fs'

export const schema = {
  type: 'object',
  properties: { path: { type: 'string', description: 'the file' } },
  required: ['path'],
  additionalProperties: false,
}

export const toolText = { name: 'read_file', description: 'Reads a text file' }

export function readFile({ path }) {
  return readFileSync(path, 'utf8')
}

/** Bound on the turns of one conversation. */
export const MOST_TURNS = 4

/**
 * Does all tasks of the file TASKS, one after the other: each has an id, package, origin, key, model, prompt and folder.
 * `converse` is called for each in every way, which is to ask for answers in one piece and for streams where it is left
 * out, and returns the last answer's text. Prints a line of JSON for each answer, and for a task that failed; the others
 * go on.
 */
export async function doTasks(converse, ways = [false, true]) {
  for (const task of JSON.parse(readFileSync(process.env.TASKS, 'utf8'))) {
    try {
      for (const way of ways) print({ task: task.id, answer: await converse(task, way) })
    } catch (error) {
      print({ task: task.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }
}

function print(line) {
  console.log(JSON.stringify(line))
}

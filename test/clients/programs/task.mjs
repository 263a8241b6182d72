// What every program here is given by its environment, and the one tool that it offers.
import { readFileSync } from 'node:fs'

const { ORIGIN: origin, KEY: key, MODEL: model, PROMPT: prompt } = process.env

export const task = { origin, key, model, prompt }

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

/** Asks twice, in one piece and as a stream, and prints both answers. */
export async function askBoth(converse) {
  for (const stream of [false, true]) {
    console.log(`${stream ? 'stream' : 'whole'}: ${await converse(stream)}`)
  }
}

import { CommandFailure } from './world.ts'
import type { World } from './world.ts'

/** Secrets are short; whatever is longer was piped in by mistake. */
const LONGEST_LINE_BYTES = 4096

/**
 * The first line of stdin, without its line break. Secrets come this way and never as arguments, which every user of the
 * machine can see. Throws CommandFailure when there is none.
 */
export async function readSecretLine(world: World, what: string): Promise<string> {
  if (world.input.isTTY === true) world.remark(`Type ${what} and press Enter (it is shown as you type):\n`)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of world.input) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (bytes.includes(0x0a)) break
    if (length > LONGEST_LINE_BYTES) throw new CommandFailure(`What was given on stdin is too long for ${what}.`)
  }
  const line = Buffer.concat(chunks).toString('utf8').split('\n')[0]?.replace(/\r$/, '') ?? ''
  if (line === '') throw new CommandFailure(`There was nothing on stdin: give ${what} on its first line.`)
  return line
}

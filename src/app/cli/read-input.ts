import { CommandFailure } from './cli-host.ts'
import type { CliHost } from './cli-host.ts'

/** Secrets are short; whatever is longer was piped in by mistake. */
const LONGEST_LINE_BYTES = 4096

/**
 * The first line of stdin, without its line break. Secrets come this way and never as arguments, which every user of the
 * machine can see. Throws CommandFailure when there is none.
 */
export async function readSecretLine(host: CliHost, what: string): Promise<string> {
  if (host.input.isTTY === true) host.remark(`Type ${what} and press Enter (it is shown as you type):\n`)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of host.input) {
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

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requestTokens } from './request-tokens.ts'
import { TextTokens } from './text-tokens.ts'

const FOLDER = 'test/fixtures/clients/'
const PROSE = readFileSync('docs/operating.md', 'utf8')

/** Fills in long texts, of which these requests say the length alone; here they are as long as they were. */
function asLongAsTheyWere(body: string): string {
  return body.replaceAll(/[^"]{0,40}, in (\d+) characters\./g, (_, length: string) =>
    JSON.stringify(PROSE.repeat(8).slice(0, Number(length))).slice(1, -1),
  )
}

/** Fields whose texts a model is given, on any of the wires. */
const CONVERSATION = 'messages system tools input instructions prompt text contents systemInstruction'.split(' ')

/** Tokens of those texts, three for each object and one for each number: no name of a field, and no setting. */
function plainly(body: Readonly<Record<string, unknown>>): number {
  const texts = new TextTokens()
  let tokens = 0
  const open: unknown[] = CONVERSATION.map((name) => body[name])
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') tokens += texts.of(value)
    else if (typeof value === 'number') tokens += 1
    else if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) tokens += 3
      open.push(...Object.values(value))
    }
  }
  return tokens
}

/** Ciphers are less than their text would be, and the names of a tool's properties more than nothing. */
const FEW = 12

const clients = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(asLongAsTheyWere(readFileSync(FOLDER + name, 'utf8'))).body] as const)

test.for(clients)('names and settings are hardly anything of a real request: %s', ([, body]) => {
  const plain = plainly(body)
  const tokens = requestTokens(JSON.stringify(body), new TextTokens())
  expect(tokens).toBeGreaterThanOrEqual(plain * 0.98 - FEW)
  expect(tokens).toBeLessThanOrEqual(plain * 1.02 + FEW)
})

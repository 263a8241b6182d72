import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const HAN = /\p{Script=Han}/u
/** So many words of Latin letters and nothing else are a sentence that was forgotten, not a name. */
const ENGLISH_SENTENCE = /^(?=.*([a-z]+\P{L}+){3}[a-z]+)\P{Script=Han}*$/u

const FOLDER = new URL('../../console/dictionaries/', import.meta.url)

const names = (await readdir(fileURLToPath(FOLDER))).flatMap((file) => /^(.+)-zh-cn\.ts$/.exec(file)?.[1] ?? [])

test('there are dictionaries', () => {
  expect(names).toEqual(expect.arrayContaining(['shared', 'problems', 'account', 'outside']))
})

describe.each(names)('the dictionary of %s', async (name) => {
  const en = await textsOf(`${name}-en.ts`)
  const zh = await textsOf(`${name}-zh-cn.ts`)

  test('says the same things in both languages', () => {
    expect([...zh.keys()].sort()).toEqual([...en.keys()].sort())
  })

  test('leaves nothing empty that the other fills', () => {
    for (const [path, text] of en) expect(zh.get(path) === '', path).toBe(text === '')
  })

  test('is Chinese where it is Chinese, and nowhere else', () => {
    for (const [path, text] of zh) if (typeof text === 'string') expect(text, path).not.toMatch(ENGLISH_SENTENCE)
    for (const [path, text] of en) if (typeof text === 'string') expect(text, path).not.toMatch(HAN)
  })

  test('leaves no space between Chinese words and full stops of the other kind', () => {
    for (const [path, text] of zh) {
      if (typeof text === 'string')
        expect(text, path).not.toMatch(/\p{Script=Han}[.,!?;](\s|$)|\p{Script=Han} \p{Script=Han}/u)
    }
  })
})

/** The texts of a file by their path. */
async function textsOf(file: string): Promise<Map<string, unknown>> {
  const exported: Record<string, unknown> = await import(new URL(file, FOLDER).href)
  const texts = new Map<string, unknown>()
  for (const value of Object.values(exported)) collect(value, '', texts)
  return texts
}

function collect(value: unknown, path: string, into: Map<string, unknown>): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) collect(inner, `${path}.${name}`, into)
  } else if (path !== '') {
    into.set(path, value)
  }
}

import { describe, expect, test } from 'vitest'
import { codeLines, linesOfBox, statusesInBox, variablesRead } from './agreement-rules.ts'
import { VARIABLES } from '../../src/app/installation/environment.ts'
import type { FaultCode, FaultPolicy } from '../../src/core/faults.ts'
import { PROMISED_FAULTS, PROMISED_VARIABLES } from './contract.ts'
import { listFiles, readProjectFile, readSources } from './source-files.ts'

const DECLARED = VARIABLES.map(({ name }) => name)

describe('faults, their pages and the promise to callers', () => {
  test('every promised fault is in the list, with its HTTP status', async () => {
    const statuses = await faultStatuses()
    for (const [code, promised] of Object.entries(PROMISED_FAULTS)) expect(statuses[code], code).toEqual(promised)
  })

  test('every fault has a page and every page a fault', async () => {
    const pages = await listFiles('docs/errors')
    const expected = Object.keys(await faultStatuses()).map((code) => `docs/errors/${code}.md`)
    expect(pages.filter((path) => path !== 'docs/errors/README.md').sort()).toEqual(expected.sort())
  })

  test('the box on each page names what SDKs of each vendor read in the answer', async () => {
    for (const [code, lines] of Object.entries(await shapesInAnswers())) {
      const page = await readProjectFile(`docs/errors/${code}.md`)
      expect(linesOfBox(page), code).toEqual(expect.arrayContaining(lines))
    }
  })

  test('the box on each page names the HTTP statuses of the fault, and no other', async () => {
    for (const [code, statuses] of Object.entries(await faultStatuses())) {
      const named = statusesInBox(await readProjectFile(`docs/errors/${code}.md`))
      expect(new Set(named), code).toEqual(new Set(statuses))
    }
  })
})

describe('environment variables and their reference', () => {
  test('every promised variable is read', () => {
    expect(DECLARED).toEqual(expect.arrayContaining([...PROMISED_VARIABLES]))
  })

  test('every variable that is read stands in the README or in docs/operating.md', async () => {
    const read = (await readSources('src', /(?<!\.test)\.ts$/)).flatMap(variablesRead)
    const reference = (await readProjectFile('README.md')) + (await readProjectFile('docs/operating.md'))
    const words = new Set(reference.match(/\w+/g))
    expect([...DECLARED, ...read].filter((name) => !words.has(name))).toEqual([])
  })
})

describe('commands', () => {
  test('.ci/run runs the test command of the README, as it stands there', async () => {
    const command = codeLines(await readProjectFile('README.md')).filter((line) => /\bnpm (run )?test\b/.test(line))
    expect(command).toHaveLength(1)
    expect((await readProjectFile('.ci/run')).split('\n')).toContain(command[0])
  })

  test('.ci/run runs every part of "npm run check"', async () => {
    const { scripts } = JSON.parse(await readProjectFile('package.json'))
    const parts = String(scripts.check).split(' && ')
    const list = /^for check in (.*); do$/m.exec(await readProjectFile('.ci/run'))?.[1] ?? ''
    const named = [...list.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word)
    expect(parts.at(-1)).toBe('npm test')
    for (const part of parts.slice(0, -1)) expect(named, part).toContain(part.replace('npm run ', ''))
  })
})

test('what the readers of this file find', () => {
  expect(statusesInBox('# a\n\n404\n\n```text\nHTTP 429, also 529; 1429 is none\n```\n503\n')).toEqual([429, 529])
  expect(codeLines('a\n```sh\nb\nc\n```\nd')).toEqual(['b', 'c', ''])
  const reading = `process.env.HOST; process.env['PORT']; const { A_B } = process.env; other.env.NOT`
  expect(variablesRead({ path: 'a.ts', text: reading })).toEqual(['HOST', 'PORT', 'A_B'])
})

/** Each code with the statuses its policy names, read anew so that one missing file fails one test and not all. */
async function faultStatuses(): Promise<Record<string, number[]>> {
  const { FAULTS } = await import('../../src/core/faults.ts')
  return Object.fromEntries(
    Object.entries(FAULTS).map(([code, policy]) => {
      const { status, anthropicStatus, upstreamStatuses = [] }: FaultPolicy = policy
      return [code, [status, ...(anthropicStatus === undefined ? [] : [anthropicStatus]), ...upstreamStatuses]]
    }),
  )
}

/** The lines on the page of each code that tell the three vendors' shapes, read from the answers themselves. */
async function shapesInAnswers(): Promise<Record<string, string[]>> {
  const { FAULTS, Fault } = await import('../../src/core/faults.ts')
  const { anthropicError, geminiError, openaiError } = await import('../../src/protocols/fault-body.ts')
  return Object.fromEntries(
    (Object.keys(FAULTS) as FaultCode[]).map((code) => {
      const fault = new Fault(code, 'a message')
      const openai = openaiError(fault, 'req_1').error
      const anthropic = anthropicError(fault, 'req_1').error
      const google = geminiError(fault, 'req_1').error
      const lines = [
        `OpenAI: ${openai.type} / ${openai.code}`,
        `Anthropic: ${anthropic.type}`,
        `Google: ${google.status}`,
      ]
      return [code, lines]
    }),
  )
}

import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { ChatWire } from '../../src/core/wire.ts'
import { PARSED, TEXT } from '../support/answers-of-wires.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { FORMS, type ReportedAnswer } from '../support/reported-forms.ts'
import { WRITINGS } from '../support/reported-writings.ts'
import { putModelOf, scriptedUpstream, type ScriptedUpstream } from '../support/scripted-upstream.ts'
import { temporaryDirectory, testClients } from '../support/test-servers.ts'
import { startDeadEnd } from './dead-end.ts'
import { INSTALL_TIMEOUT_MS } from './installed-clients.ts'
import { CLIENT_TIMEOUT_MS, runClient } from './run-client.ts'

// The answers of test/journeys/either-form.test.ts, as the SDKs read them that clients are made of: Google's own, the AI SDK's
// and LangChain's.

const PROTOCOLS: Readonly<Record<ChatWire, UpstreamProtocol>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
}

const READERS: Readonly<Record<ChatWire, readonly string[]>> = {
  'openai-chat': ['ai-openai-chat', 'ai-openai-compatible', 'langchain-openai-chat'],
  'openai-responses': ['ai-openai-responses', 'langchain-openai-responses'],
  'anthropic-messages': ['ai-anthropic', 'langchain-anthropic'],
  gemini: ['google-genai'],
}

interface Task {
  readonly id: string
  readonly reader: string
  readonly isStream: boolean
  readonly case: ReportedAnswer
}

const TASKS: readonly Task[] = [...FORMS, ...WRITINGS].flatMap((of, index) =>
  (of.clients ?? [of.at]).flatMap((client) =>
    READERS[client].map((reader) => ({ id: `prompt-${index}-${reader}`, reader, isStream: of.isStream, case: of })),
  ),
)

let gateway: GatewayUnderTest
let upstream: ScriptedUpstream
const read = new Map<string, { readonly text?: string; readonly call?: object | null; readonly error?: string }>()

beforeAll(async () => {
  const packages = await testClients()
  const deadEnd = await startDeadEnd()
  gateway = await gatewayUnderTest()
  upstream = await scriptedUpstream((request, response) => {
    let asked = ''
    request.on('data', (bytes: Buffer) => (asked += bytes.toString()))
    request.on('end', () => {
      const [, index = ''] = /prompt-(\d+)-/.exec(asked) ?? []
      const { status = 200, contentType, body } = [...FORMS, ...WRITINGS][Number(index)]?.reply ?? { body: '' }
      response.writeHead(status, contentType === null ? {} : { 'content-type': contentType ?? 'application/json' })
      response.end(body)
    })
  })
  const { port } = upstream
  for (const wire of Object.keys(PROTOCOLS) as ChatWire[]) {
    const baseUrl = `http://127.0.0.1:${port}/${wire === 'gemini' ? 'v1beta' : 'v1'}`
    const target = { port, protocol: PROTOCOLS[wire], settings: { baseUrl } }
    await putModelOf(gateway.store, { name: `at-${wire}`, targets: [target] })
  }
  const { secret: key } = await gateway.key(await gateway.account({ balance: '1000' }))
  const home = await temporaryDirectory()
  const work = join(home, 'work')
  await mkdir(work)
  await symlink(packages, join(work, 'node_modules'))
  await cp(join(import.meta.dirname, 'programs'), join(work, 'programs'), { recursive: true })
  const tasks = TASKS.map(({ id, reader, isStream, case: { at } }) => {
    return { id, reader, isStream, prompt: id, model: `at-${at}`, origin: gateway.origin, key }
  })
  await writeFile(join(work, 'tasks.json'), JSON.stringify(tasks))
  const script = 'export TASKS=tasks.json\nnode programs/read-answers.mjs'
  const { stdout, stderr, code } = await runClient(script, { home, work, packages, deadEnd: deadEnd.url })
  deadEnd.close()
  expect(code, stderr).toBe(0)
  for (const line of stdout.split('\n').filter((each) => each.startsWith('{'))) {
    const { id, ...answer } = JSON.parse(line) as { id: string }
    read.set(id, answer)
  }
}, INSTALL_TIMEOUT_MS + CLIENT_TIMEOUT_MS)
afterAll(async () => {
  await gateway.close()
  upstream.close()
})

test.for(TASKS)('$case.from: $case.what; $reader on $case.at', ({ id, case: { reads = {} } }) => {
  const expected = { text: TEXT, call: { name: 'look_up', arguments: PARSED }, ...reads }
  const call = expected.call as { readonly name: string; readonly arguments: object } | null
  const answer = read.get(id)
  expect(answer?.error).toBeUndefined()
  expect(answer?.text).toBe(expected.text)
  expect(answer?.call).toEqual(call === null ? null : { name: call.name, input: call.arguments })
})

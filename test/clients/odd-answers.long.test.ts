import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import { type ChatWire, CHAT_WIRES, type HubWire } from '../../src/core/wire.ts'
import { Candidate } from '../../src/routing/candidate.ts'
import { RetryBudget } from '../../src/routing/retry-budget.ts'
import { PARSED, TEXT } from '../support/answers-of-wires.ts'
import { FRAMED_TYPE } from '../support/aws-frames.ts'
import { FAILED_ANSWERS } from '../support/failed-answers/all.ts'
import type { UpstreamAnswer } from '../support/failed-answers/failed-answer.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { FORMS, type ReportedAnswer } from '../support/reported-forms.ts'
import { WRITINGS } from '../support/reported-writings.ts'
import { putModelOf } from '../support/put-model.ts'
import { scriptedUpstream, type ScriptedUpstream } from '../support/scripted-upstream.ts'
import { temporaryDirectory, testClients } from '../support/test-servers.ts'
import { startDeadEnd } from './dead-end.ts'
import { INSTALL_TIMEOUT_MS } from './installed-clients.ts'
import { CLIENT_TIMEOUT_MS, runClient } from './run-client.ts'

// The answers of test/journeys/either-form.test.ts and failed-answers.test.ts, as the SDKs read them that clients are made of: Google's own, the AI SDK's
// and LangChain's.

const PROTOCOLS: Readonly<Record<HubWire, UpstreamProtocol>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
  'bedrock-converse': 'converse',
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
  /** The wire of the upstream, with a mark where it answers in the frames of Amazon Bedrock. */
  readonly at: HubWire | `${HubWire}-framed`
}

interface FormTask extends Task {
  readonly case: ReportedAnswer
}

interface FailureTask extends Task {
  readonly case: UpstreamAnswer
}

const TASKS: readonly FormTask[] = [...FORMS, ...WRITINGS].flatMap((of, index) =>
  (of.clients ?? [of.at]).flatMap((client) =>
    READERS[client].map((reader) => ({
      id: `form-${index}-${reader}`,
      reader,
      isStream: of.isStream,
      at: of.at,
      case: of,
    })),
  ),
)

const ALL_READERS = Object.values(READERS).flat()
/** Each failure by the SDKs of its own wire, and by one of another, each in its turn. */
const FAILURES: readonly FailureTask[] = FAILED_ANSWERS.flatMap((of, index) =>
  [
    ...new Set([
      ...(of.frames === undefined && isChat(of.wire) ? READERS[of.wire] : []),
      ALL_READERS[index % ALL_READERS.length] ?? '',
    ]),
  ].map((reader) => ({
    id: `failure-${index}-${reader}`,
    reader,
    isStream: of.isStream,
    at: of.frames === undefined ? of.wire : (`${of.wire}-framed` as const),
    case: of,
  })),
)

function isChat(wire: HubWire): wire is ChatWire {
  return (CHAT_WIRES as readonly HubWire[]).includes(wire)
}

let gateway: GatewayUnderTest
let upstream: ScriptedUpstream
const read = new Map<string, { readonly text?: string; readonly call?: object | null; readonly error?: string }>()

beforeAll(async () => {
  const packages = await testClients()
  const deadEnd = await startDeadEnd()
  // Each answer is read by itself, as of a target that is well so far and was asked little.
  vi.spyOn(Candidate.prototype, 'failed').mockImplementation(() => {})
  vi.spyOn(RetryBudget.prototype, 'hasRoom').mockReturnValue(true)
  gateway = await gatewayUnderTest()
  upstream = await scriptedUpstream((request, response) => {
    let asked = ''
    request.on('data', (bytes: Buffer) => (asked += bytes.toString()))
    request.on('end', () => {
      const [, kind = '', index = ''] = /(form|failure)-(\d+)-/.exec(asked) ?? []
      const failure = kind === 'failure' ? FAILED_ANSWERS[Number(index)] : undefined
      const reported = kind === 'form' ? [...FORMS, ...WRITINGS][Number(index)]?.reply : undefined
      const { status = 200, contentType, body } = reported ?? { body: failure?.bytes ?? '' }
      const streamType = failure?.frames === undefined ? 'text/event-stream' : FRAMED_TYPE
      const type = failure?.isStream === true ? streamType : (contentType ?? 'application/json')
      response.writeHead(status, contentType === null ? {} : { 'content-type': type })
      if (failure?.isStream !== true) return void response.end(body)
      // An event at a time, so that the first goes on before the last is known.
      const events = [...(failure.frames ?? failure.bytes.split(/(?<=\n\n)/))]
      const next = (): void => {
        const event = events.shift()
        if (event === undefined) response.end()
        else response.write(event, () => setImmediate(next))
      }
      next()
    })
  })
  const { port } = upstream
  for (const [wire, protocol] of Object.entries(PROTOCOLS)) {
    const origin = `http://127.0.0.1:${port}`
    const settings = { baseUrl: `${origin}/${wire === 'gemini' ? 'v1beta' : 'v1'}` }
    await putModelOf(gateway.store, { name: `at-${wire}`, targets: [{ port, protocol, settings }] })
    const atBedrock = { baseUrl: origin, passage: { dialect: 'bedrock' } } as const
    if (protocol !== 'anthropic' && protocol !== 'converse') continue
    await putModelOf(gateway.store, { name: `at-${wire}-framed`, targets: [{ port, protocol, settings: atBedrock }] })
  }
  const { secret: key } = await gateway.key(await gateway.account({ balance: '1000' }))
  const home = await temporaryDirectory()
  const work = join(home, 'work')
  await mkdir(work)
  await symlink(packages, join(work, 'node_modules'))
  await cp(join(import.meta.dirname, 'programs'), join(work, 'programs'), { recursive: true })
  const tasks = [...TASKS, ...FAILURES].map(({ id, reader, isStream, at }) => {
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
  vi.restoreAllMocks()
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

test.for(FAILURES)('a failure is one: $case.name ($case.from), $reader on $at, streamed $isStream', ({ id }) => {
  expect(read.get(id)).toEqual({ error: expect.any(String) })
})

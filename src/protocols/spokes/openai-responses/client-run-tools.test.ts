import OpenAI from 'openai'
import type { ResponseOutputItem } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import type { ChatWire } from '../../../core/wire.ts'
import { partsOfAnswer } from '../../chat-simulation.ts'
import type { ToolCallBlock } from '../../hub/neutral-request.ts'
import { protocolOf } from '../../protocol-of.ts'
import { fieldsOf } from '../../json/json-object.ts'
import { SPOKES, type Translated, Translation } from '../../translation.ts'

/** Tools that the client runs and OpenAI defines, on models of other providers. */

const OTHERS = ['openai-chat', 'anthropic-messages', 'gemini'] as const

function translated(fields: object, upstream: ChatWire): Translated {
  const body = Buffer.from(JSON.stringify({ model: 'm', stream: true, input: 'Hi', ...fields }))
  const head = protocolOf('openai-responses').readRequest(body)
  const asked = { wire: 'openai-responses', body, head, requestId: 'req_1', nowMs: 0 } as const
  return new Translation(asked).to(upstream, { model: 'm', maxOutputTokens: 1_000 })
}

/** The names of the functions that the upstream gets. */
function namesIn(written: string): readonly unknown[] {
  const { tools } = fieldsOf(JSON.parse(written))
  return (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const { name, function: called, functionDeclarations } = fieldsOf(tool)
    const declared = Array.isArray(functionDeclarations)
      ? functionDeclarations.map((each) => fieldsOf(each)['name'])
      : []
    return [...declared, ...[name ?? fieldsOf(called)['name']].filter((each) => each !== undefined)]
  })
}

/** The output that OpenAI's SDK puts together of a model's calls, whole or streamed. */
async function outputOf(tools: object, calls: readonly Pick<ToolCallBlock, 'name' | 'input'>[], isStream: boolean) {
  const request = translated(tools, 'anthropic-messages')
  const blocks = calls.map(
    ({ name, input }, i) => ({ kind: 'tool_call', id: `toolu_${i}`, name, input, isCustom: false }) as const,
  )
  const answer = { choices: [{ blocks, stop: { reason: 'tool_calls', sequence: null } as const }] }
  const upstream = { requestId: 'req_1', model: 'm', nowMs: 0, includeUsage: true, asked: {}, request: EMPTY }
  const used = {
    input: 3,
    output: 5,
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    reasoning: null,
    other: null,
  }
  let body: string
  if (isStream) {
    const writer = SPOKES['anthropic-messages'].openWriter(upstream as never)
    const parts = partsOfAnswer(answer, (text) => text.match(/[\s\S]{1,7}/g) ?? [])
    const events = [...parts].map((part) => writer.write(part)).join('')
    const bytes = Buffer.from(events + writer.end({ reported: used as never, estimatedOutputTokens: 5 }))
    const reader = request.openStream()
    const sent = reader.push(bytes)?.toString() ?? ''
    const end = reader.finish()
    body = sent + (end.kind === 'complete' ? end.held.toString() : '')
  } else {
    const whole = SPOKES['anthropic-messages'].writeAnswer(answer, upstream as never, used as never)
    body = request.answer(Buffer.from(JSON.stringify(whole)), used as never).toString()
  }
  const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' }
  const fetch = () => Promise.resolve(new Response(body, { headers }))
  const openai = new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1/v1', fetch, maxRetries: 0 })
  const params = { model: 'm', input: 'Hi' }
  const response = isStream
    ? await openai.responses.stream(params).finalResponse()
    : await openai.responses.create(params)
  return { output: response.output as readonly ResponseOutputItem[], events: body }
}

const EMPTY = { turns: [], tools: [], toolChoice: null, settings: { get: () => null } }

const PATCH = { tools: [{ type: 'apply_patch' }] }
const SHELL = { tools: [{ type: 'shell', environment: { type: 'local' } }] }
const LOCAL_SHELL = { tools: [{ type: 'local_shell' }] }

describe('in a request', () => {
  test.for<readonly [object, string, string | null]>([
    [{ type: 'apply_patch' }, 'apply_patch', 'vercel/ai#10213'],
    [{ type: 'apply_patch', allowed_callers: ['direct'] }, 'apply_patch', 'edison7009/EchoBird#394'],
    [{ type: 'local_shell' }, 'local_shell', 'vercel/ai#9009'],
    [{ type: 'shell' }, 'shell', 'maximhq/bifrost#7292'],
    [{ type: 'shell', environment: null }, 'shell', 'maximhq/bifrost#2648'],
    [{ type: 'shell', environment: { type: 'local' } }, 'shell', 'maximhq/bifrost#2648'],
  ])('%j is the function %s of every other provider', ([tool, name]) => {
    for (const upstream of OTHERS) {
      const request = translated({ tools: [tool] }, upstream)
      expect(namesIn(request.body.toString())).toEqual([name])
      expect(request.dropped.filter((path) => !path.endsWith('allowed_callers'))).toEqual([])
    }
  })

  test('a model may be made to use one', () => {
    const forced = translated({ ...PATCH, tool_choice: { type: 'apply_patch' } }, 'anthropic-messages')
    expect(fieldsOf(JSON.parse(forced.body.toString()))['tool_choice']).toMatchObject({
      type: 'tool',
      name: 'apply_patch',
    })
  })

  test('the model learns of the skills of a local shell', () => {
    const skills = [{ name: 'pdf', description: 'Reads PDF files.', path: '/skills/pdf' }]
    const request = translated({ tools: [{ type: 'shell', environment: { type: 'local', skills } }] }, 'openai-chat')
    expect(request.body.toString()).toContain('pdf (/skills/pdf): Reads PDF files.')
  })

  test.for(['container_auto', 'container_reference'])('a shell in the provider’s %s is the provider’s', (type) => {
    const tools = [{ type: 'shell', environment: { type } }]
    expect(() => translated({ tools }, 'openai-chat')).toThrow(/runs at its own provider only/)
    const beside = translated({ tools: [...tools, { type: 'apply_patch' }] }, 'openai-chat')
    expect(namesIn(beside.body.toString())).toEqual(['apply_patch'])
    expect(beside.dropped).toEqual(['tools[].shell'])
  })

  test('calls and results of the past are calls and results', () => {
    const operation = { type: 'update_file', path: 'a.ts', diff: '@@\n-a\n+b\n' }
    const action = { type: 'exec', command: ['ls'], env: {} }
    const commands = { commands: ['ls'], timeout_ms: null, max_output_length: null }
    const printed = [{ stdout: 'a.ts', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'apply_patch_call', id: 'apc_1', call_id: 'c1', status: 'completed', operation },
      { type: 'local_shell_call', id: 'lsh_1', call_id: 'c2', status: 'completed', action },
      { type: 'shell_call', id: 'sh_1', call_id: 'c3', status: 'completed', action: commands, environment: null },
      { type: 'apply_patch_call_output', call_id: 'c1', status: 'completed' },
      // Names the item, as OpenAI's types have it, and not the call.
      { type: 'local_shell_call_output', id: 'lsh_1', output: 'b.ts' },
      { type: 'shell_call_output', call_id: 'c3', output: printed, max_output_length: 100 },
    ]
    const request = translated({ ...PATCH, input }, 'openai-chat')
    const { messages } = fieldsOf(JSON.parse(request.body.toString()))
    expect(request.dropped).toEqual([])
    expect(messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'c1', function: { name: 'apply_patch', arguments: JSON.stringify(operation) } },
          { id: 'c2', function: { name: 'local_shell', arguments: JSON.stringify(action) } },
          { id: 'c3', function: { name: 'shell', arguments: JSON.stringify(commands) } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'completed' },
      { role: 'tool', tool_call_id: 'c2', content: 'b.ts' },
      { role: 'tool', tool_call_id: 'c3', content: JSON.stringify(printed) },
    ])
  })
})

describe.for([[false], [true]] as const)('in an answer, streamed %s', ([isStream]) => {
  test.for<readonly [string, object, { name: string; input: object | string }, object, string | null]>([
    [
      'a patch',
      PATCH,
      { name: 'apply_patch', input: { type: 'update_file', path: 'a.ts', diff: '@@\n-a\n+b\n' } },
      {
        type: 'apply_patch_call',
        call_id: 'toolu_0',
        status: 'completed',
        operation: { type: 'update_file', path: 'a.ts', diff: '@@\n-a\n+b\n' },
      },
      'langchain-ai/langchain#37157',
    ],
    [
      'a file that goes',
      PATCH,
      { name: 'apply_patch', input: { type: 'delete_file', path: 'a.ts' } },
      { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a.ts' } },
      'vercel/ai#11938',
    ],
    [
      'a patch that the model wrapped',
      PATCH,
      { name: 'apply_patch', input: { operation: { type: 'create_file', path: 'b.ts', diff: '+b\n' } } },
      { type: 'apply_patch_call', operation: { type: 'create_file', path: 'b.ts', diff: '+b\n' } },
      null,
    ],
    [
      'a patch without anything in it',
      PATCH,
      { name: 'apply_patch', input: {} },
      { type: 'apply_patch_call', operation: { type: 'update_file', path: '', diff: '' } },
      'fabro-sh/fabro#435',
    ],
    [
      'a patch that is not JSON',
      PATCH,
      { name: 'apply_patch', input: '{"type":"update_file","pa' },
      { type: 'apply_patch_call', operation: { type: 'update_file', path: '', diff: '' } },
      null,
    ],
    [
      'commands of a shell',
      SHELL,
      { name: 'shell', input: { commands: ['ls', 'pwd'], timeout_ms: 1_000 } },
      {
        type: 'shell_call',
        action: { commands: ['ls', 'pwd'], timeout_ms: 1_000, max_output_length: null },
        environment: { type: 'local' },
      },
      'maximhq/bifrost#2648',
    ],
    [
      'a command that the model wrote as one line',
      LOCAL_SHELL,
      { name: 'local_shell', input: { command: 'ls -l | wc' } },
      {
        type: 'local_shell_call',
        action: { type: 'exec', command: ['sh', '-c', 'ls -l | wc'], env: {}, working_directory: null },
      },
      null,
    ],
    [
      'a command of the local shell',
      LOCAL_SHELL,
      { name: 'local_shell', input: { command: ['ls', '-l'], working_directory: '/tmp' } },
      {
        type: 'local_shell_call',
        action: { type: 'exec', command: ['ls', '-l'], env: {}, working_directory: '/tmp' },
      },
      'openai/codex#6823',
    ],
    [
      'a function of the client’s own by such a name',
      { tools: [{ type: 'function', name: 'shell', parameters: { type: 'object' } }] },
      { name: 'shell', input: { commands: ['ls'] } },
      { type: 'function_call', name: 'shell', arguments: '{"commands":["ls"]}' },
      null,
    ],
  ])('%s is the item that the client knows', async ([, tools, { name, input }, item]) => {
    const written = typeof input === 'string' ? input : JSON.stringify(input)
    // Anthropic’s whole answers hold an object, so that a broken one comes in streams alone.
    if (typeof input === 'string' && !isStream) return
    const { output, events } = await outputOf(tools, [{ name, input: written }], isStream)
    expect(output).toHaveLength(1)
    expect(output[0]).toMatchObject(item)
    expect(events).not.toContain('function_call_arguments.delta","sequence_number":2,"item_id":"apc')
  })

  test('ids tell the kinds of items apart, and functions beside them stay functions', async () => {
    const tools = [
      { type: 'apply_patch' },
      { type: 'shell' },
      { type: 'local_shell' },
      { type: 'function', name: 'read', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
    ]
    const calls = [
      { name: 'apply_patch', input: '{"type":"delete_file","path":"a"}' },
      { name: 'shell', input: '{"commands":["ls"]}' },
      { name: 'local_shell', input: '{"command":["ls"]}' },
      { name: 'read', input: '{"a":"b"}' },
    ]
    const { output } = await outputOf({ tools }, calls, isStream)
    expect(output.map(({ type, id }) => [type, id?.split('_')[0]])).toEqual([
      ['apply_patch_call', 'apc'],
      ['shell_call', 'sh'],
      ['local_shell_call', 'lsh'],
      ['function_call', 'fc'],
    ])
  })
})

test('in a stream such an item is added when it is known, and is done at once', async () => {
  const calls = [{ name: 'apply_patch', input: '{"type":"create_file","path":"a","diff":"+b"}' }]
  const { events } = await outputOf(PATCH, calls, true)
  const items = events
    .split('\n\n')
    .filter((event) => event.startsWith('event: response.output_item.'))
    .map((event) => fieldsOf(fieldsOf(JSON.parse(event.slice(event.indexOf('data: ') + 6)))['item']))
  expect(items).toMatchObject([
    { status: 'in_progress', operation: { type: 'create_file', path: 'a', diff: '+b' } },
    { status: 'completed', operation: { type: 'create_file', path: 'a', diff: '+b' } },
  ])
})

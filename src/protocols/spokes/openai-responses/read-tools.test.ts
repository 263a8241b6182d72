import { describe, expect, test } from 'vitest'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { HINTS } from './hints.ts'
import { readRequest } from './read-request.ts'

describe('the tools of a responses request', () => {
  test('tools of a namespace have one name, wherever they stand', () => {
    const exec = {
      type: 'custom',
      name: 'exec',
      description: 'Runs.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
    }
    const functions = { type: 'namespace', name: 'functions', description: 'All of it.', tools: [exec] }
    const input = [
      { type: 'additional_tools', role: 'developer', tools: [functions] },
      { role: 'user', content: 'Hi' },
    ]
    const { tools } = read({
      input,
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object' }, strict: false }],
    })
    expect(tools).toEqual([
      {
        kind: 'function',
        name: 'read',
        description: null,
        schema: { type: 'object' },
        isStrict: false,
        at: 'tools[0]',
      },
      {
        kind: 'custom',
        name: 'functions__exec',
        description: 'Runs.\n\nAbout the tools whose names begin with functions: All of it.',
        grammar: { syntax: 'lark', definition: 'start: x' },
        inNamespace: { namespace: 'functions', name: 'exec' },
        at: 'input[0].tools[0].tools[0]',
      },
    ])
  })

  test('a search for tools that the client runs is a function, and what it found are tools', () => {
    const { tools, turns } = read({
      tools: [{ type: 'tool_search', execution: 'client', description: 'Search.', parameters: { type: 'object' } }],
      input: [
        {
          type: 'tool_search_call',
          call_id: 'call_1',
          execution: 'client',
          status: 'completed',
          arguments: { query: 'mail' },
        },
        {
          type: 'tool_search_output',
          call_id: 'call_1',
          execution: 'client',
          status: 'completed',
          tools: [
            {
              type: 'namespace',
              name: 'mail',
              description: '',
              tools: [{ type: 'function', name: 'send', defer_loading: true }],
            },
          ],
        },
      ],
    })
    expect(tools.map(({ kind, name }) => [kind, name])).toEqual([
      ['function', 'tool_search'],
      ['function', 'mail__send'],
    ])
    expect(turns.map(({ parts }) => parts[0])).toMatchObject([
      { kind: 'tool_call', name: 'tool_search', input: '{"query":"mail"}' },
      { kind: 'tool_result', callId: 'call_1', parts: [{ text: 'Tools that can be called now: mail__send' }] },
    ])
  })

  test.for([
    ['auto', null],
    ['none', { kind: 'none', at: 'tool_choice' }],
    [
      { type: 'function', name: 'read' },
      { kind: 'one', name: 'read', at: 'tool_choice' },
    ],
    [{ type: 'web_search' }, { kind: 'one', name: 'web_search', at: 'tool_choice' }],
    [
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [
          { type: 'function', name: 'read' },
          { type: 'custom', name: 'patch' },
        ],
      },
      { kind: 'some', names: ['read', 'patch'], isRequired: true, at: 'tool_choice' },
    ],
  ] as const)('the choice of tools %j is understood', ([choice, expected]) => {
    expect(read({ input: 'Hi', tool_choice: choice }).toolChoice).toEqual(expected)
  })
})

function read(body: Readonly<Record<string, unknown>>): NeutralRequest {
  return readRequest(body, new Notes(HINTS))
}

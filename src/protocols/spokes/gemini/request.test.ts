import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../core/faults.ts'
import { factsOf } from '../../../models/table.ts'
import { fitToModel } from '../../hub/fit-to-model.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import { SettingsToWrite } from '../../hub/request-settings.ts'
import { geminiSpoke as spoke } from '../gemini.ts'

function read(body: JsonObject): { request: NeutralRequest; dropped: readonly string[] } {
  const notes = new Notes(spoke.hints)
  return { request: spoke.readRequest(body, notes), dropped: notes.dropped }
}

function written(body: JsonObject, model = 'gemini-3-flash-preview'): { body: JsonObject; dropped: readonly string[] } {
  const { request } = read(body)
  const notes = new Notes({})
  const settings = new SettingsToWrite(request.settings, notes)
  const facts = factsOf({ name: model }, 'gemini')
  const call = { model, facts, isStream: true, modelMaxOutputTokens: null, settings, notes }
  const out = JSON.parse(JSON.stringify(spoke.writeRequest(fitToModel(request, facts, notes), call))) as JsonObject
  settings.end()
  return { body: out, dropped: notes.dropped }
}

const USER = { role: 'user', parts: [{ text: 'Hi' }] }
const CALLED = {
  contents: [
    USER,
    {
      role: 'model',
      parts: [
        { text: 'Let me look.' },
        { functionCall: { id: 'a1', name: 'look', args: { at: [1] } }, thoughtSignature: 'Sig+/=' },
        { functionCall: { id: 'a2', name: 'look', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'a1', name: 'look', response: { output: 'a bird' } } },
        { functionResponse: { id: 'a2', name: 'look', response: { error: 'too dark' } } },
        { text: 'And now?' },
      ],
    },
  ],
}

describe('requests', () => {
  test.for<[string, JsonObject]>([
    ['calls with signatures, and their results', CALLED],
    [
      'system, pictures, files and sound',
      {
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'What?' },
              { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
              { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } },
              { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
              { fileData: { mimeType: 'image/webp', fileUri: 'https://x.test/a.webp' } },
            ],
          },
        ],
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
      },
    ],
    [
      'tools, a choice of them, and all settings',
      {
        contents: [USER],
        tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: { type: 'object' } }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
        generationConfig: {
          maxOutputTokens: 100,
          temperature: 0.5,
          topP: 0.9,
          topK: 20,
          frequencyPenalty: 0.1,
          presencePenalty: 0.2,
          seed: 7,
          stopSequences: ['END'],
          candidateCount: 2,
          responseLogprobs: true,
          logprobs: 3,
          responseMimeType: 'application/json',
          responseJsonSchema: { type: 'object' },
          thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
        },
        serviceTier: 'flex',
      },
    ],
  ])('read and written again it is the same: %s', ([, body]) => {
    expect(written(body, 'acme-1').body).toEqual(body)
  })

  test('snake case is read as camel case, but for what belongs to clients', () => {
    const schema = { type: 'object', properties: { my_field: { type: 'string' } } }
    const snake = {
      contents: [{ role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'iV_-' } }] }],
      system_instruction: { parts: [{ text: 's' }] },
      tools: [{ function_declarations: [{ name: 'f', parameters_json_schema: schema }] }],
      generation_config: {
        max_output_tokens: 5,
        response_mime_type: 'application/json',
        thinking_config: { thinking_budget: 0 },
      },
    }
    const { request } = read(snake)
    expect(request.turns[1]?.parts).toMatchObject([
      { kind: 'image', source: { mediaType: 'image/png', base64: 'iV/+' } },
    ])
    expect(request.tools).toMatchObject([{ kind: 'function', schema }])
    expect(request.settings.get('maxOutputTokens')).toBe(5)
    expect(request.settings.get('reasoning')).toEqual({ effort: null, budgetTokens: 0, isShown: null })
  })

  test('Google’s schema is read as JSON Schema', () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        city: { type: 'STRING', nullable: true, enum: ['a'] },
        days: { type: 'ARRAY', items: { type: 'INTEGER', format: 'int32' }, maxItems: '3' },
        type: { any_of: [{ type: 'NUMBER' }, { type: 'BOOLEAN' }], example: 1 },
      },
      propertyOrdering: ['city'],
      required: ['city'],
    }
    const { request } = read({ contents: [USER], tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] })
    expect(request.tools).toMatchObject([
      {
        schema: {
          type: 'object',
          properties: {
            city: { type: ['string', 'null'], enum: ['a', null] },
            days: { type: 'array', items: { type: 'integer', format: 'int32' }, maxItems: 3 },
            type: { anyOf: [{ type: 'number' }, { type: 'boolean' }], examples: [1] },
          },
          required: ['city'],
        },
      },
    ])
    expect(JSON.stringify(request.tools)).not.toContain('propertyOrdering')
  })

  test('calls without ids are matched by name and order, the same with each request', () => {
    const contents = [
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f' } }, { functionCall: { name: 'g' } }, { functionCall: { name: 'f' } }],
      },
      {
        role: 'function',
        parts: ['g', 'f', 'f'].map((name) => ({ functionResponse: { name, response: { result: name } } })),
      },
    ]
    const { turns } = read({ contents }).request
    expect(turns[0]?.parts.map((part) => part.kind === 'tool_call' && part.id)).toEqual([
      'call_0_0',
      'call_0_1',
      'call_0_2',
    ])
    expect(turns[1]?.parts.map((part) => part.kind === 'tool_result' && part.callId)).toEqual([
      'call_0_1',
      'call_0_0',
      'call_0_2',
    ])
    expect(turns[1]?.parts[0]).toMatchObject({ parts: [{ text: '{"result":"g"}' }], isError: false })
  })

  test('what Gemini does by itself says nothing to others', () => {
    const { request, dropped } = read({
      contents: [USER],
      generationConfig: {
        temperature: 1,
        topP: 0.95,
        topK: 64,
        candidateCount: 1,
        frequencyPenalty: 0,
        thinkingConfig: { thinkingBudget: -1 },
      },
      safetySettings: [],
      labels: { a: 'b' },
    })
    expect(request.settings.names).toEqual([])
    expect(dropped).toEqual(['generationConfig.topP', 'generationConfig.topK', 'safetySettings', 'labels'])
  })

  test.for<[string, JsonObject]>([
    ['cachedContent', { cachedContent: 'cachedContents/1' }],
    ['generationConfig.responseModalities', { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }],
    ['generationConfig.speechConfig', { generationConfig: { speechConfig: {} } }],
    ['generationConfig.made_up', { generationConfig: { made_up: 1, madeUp: 2 } }],
    [
      'contents[0].parts[0].executableCode',
      { contents: [{ role: 'model', parts: [{ executableCode: { code: '1' } }] }] },
    ],
    [
      'contents[0].parts[0].inlineData',
      { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'video/mp4', data: 'AA' } }] }] },
    ],
    [
      'contents[0].parts[0].fileData.fileUri',
      { contents: [{ parts: [{ fileData: { mimeType: 'image/png', fileUri: 'gs://b/o' } }] }] },
    ],
    ['contents[0].role', { contents: [{ role: 'system', parts: [] }] }],
    ['contents', { contents: null }],
  ])('%s is refused by its name', ([param, fields]) => {
    expect(() => read({ contents: [USER], ...fields })).toThrow(
      expect.objectContaining({
        code: 'request_invalid',
        details: expect.objectContaining({ param }) as unknown,
      }) as Fault,
    )
  })

  test('tools that Google runs are known as such', () => {
    const { request } = read({ contents: [USER], tools: [{ googleSearch: {} }, { code_execution: {} }] })
    expect(request.tools.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'hosted googleSearch',
      'hosted codeExecution',
    ])
  })

  test.for<[string, string, JsonObject | undefined]>([
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-flash', 'max', { thinkingBudget: 24_576 }],
    ['gemini-2.5-flash-lite', 'low', { thinkingBudget: 2_048 }],
    ['gemini-3-pro-preview', 'medium', { thinkingLevel: 'HIGH' }],
    ['models/gemini-3.1-pro-preview', 'medium', { thinkingLevel: 'MEDIUM' }],
    ['gemini-3-flash-preview', 'none', { thinkingLevel: 'MINIMAL' }],
    ['gemini-flash-latest', 'minimal', { thinkingLevel: 'MINIMAL' }],
    ['gemini-2.0-flash', 'high', undefined],
    ['gemma-3-27b-it', 'high', undefined],
  ])('%s is asked for %s reasoning in words it knows', ([model, effort, thinkingConfig]) => {
    const { request } = read({ contents: [USER] })
    request.settings.say('reasoning', { effort: effort as 'none', budgetTokens: null, isShown: null }, 'reasoning')
    const notes = new Notes({})
    const settings = new SettingsToWrite(request.settings, notes)
    const body = spoke.writeRequest(request, {
      model,
      facts: factsOf({ name: model }, 'gemini'),
      isStream: false,
      modelMaxOutputTokens: null,
      settings,
      notes,
    })
    expect((body['generationConfig'] as JsonObject | undefined)?.['thinkingConfig']).toEqual(thinkingConfig)
  })

  test('the first call of a step that goes on gets the word for a missing signature, on third models alone', () => {
    const contents = [
      USER,
      { role: 'model', parts: [{ functionCall: { id: '1', name: 'f', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: '1', name: 'f', response: { output: 'x' } } }] },
      { role: 'user', parts: [{ text: 'Next.' }] },
    ]
    const signatures = (body: JsonObject, model: string): readonly unknown[] =>
      ((written(body, model).body['contents'] as { parts: JsonObject[] }[])[1]?.parts ?? []).map(
        (part) => part['thoughtSignature'],
      )
    const goesOn = { contents: contents.slice(0, 3) }
    expect(signatures(goesOn, 'gemini-3-pro-preview')).toEqual(['skip_thought_signature_validator'])
    expect(signatures(goesOn, 'gemini-2.5-pro')).toEqual([undefined])
    expect(
      signatures(
        { contents: [...contents.slice(0, 3), { role: 'model', parts: [{ text: 'Done.' }] }, USER] },
        'gemini-3-pro-preview',
      ),
    ).toEqual([undefined])
    // Read again, it is not a signature.
    const again = {
      contents: [{ role: 'model', parts: [{ text: 'x', thoughtSignature: 'skip_thought_signature_validator' }] }],
    }
    expect(read(again).request.turns[0]?.parts.map(({ kind }) => kind)).toEqual(['text'])
  })

  test('pictures of a result stand within it, and behind it for older models', () => {
    const inlineData = { mimeType: 'image/png', data: 'iVBO' }
    const functionResponse = { id: '1', name: 'f', response: { output: 'seen' }, parts: [{ inlineData }] }
    const contents = [
      USER,
      { role: 'model', parts: [{ functionCall: { id: '1', name: 'f', args: {} }, thoughtSignature: 'S' }] },
      { role: 'user', parts: [{ functionResponse }] },
    ]
    expect(written({ contents }).body).toEqual({ contents })
    const older = (written({ contents }, 'gemini-2.5-flash').body['contents'] as JsonObject[])[2]
    const { parts: _, ...bare } = functionResponse
    expect(older).toEqual({ role: 'user', parts: [{ functionResponse: bare }, { inlineData }] })
  })

  test('any JSON at all is read, or refused as the request’s fault', () => {
    const names = [
      'role',
      'parts',
      'text',
      'contents',
      'functionCall',
      'inlineData',
      'name',
      'args',
      'tools',
      'generationConfig',
    ]
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(json.object, (body) => {
        try {
          written(body)
        } catch (fault) {
          expect(fault).toBeInstanceOf(Fault)
          expect((fault as Fault).code).toBe('request_invalid')
        }
      }),
      { numRuns: 500 },
    )
  })
})

import type { SetupAdvice, SetupProtocol, SetupTextStep } from '../../../contract/setup.ts'
import { wireFacts } from '../../../core/wire.ts'
import type { ClientDescription, SetupModel, WayContext } from './client-description.ts'

interface FileClient {
  readonly id: string
  readonly name: string
  readonly protocols: readonly SetupProtocol[]
  readonly advice: readonly SetupAdvice[]
  readonly path: string
  readonly language: SetupTextStep['language']
  readonly listsModels?: true
  text(way: WayContext): string
}

/** How VS Code names the protocols. */
const VS_CODE_TYPES: Partial<Record<SetupProtocol, string>> = {
  'openai-chat': 'chat-completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
}

// Programs with windows that are set up by a file of theirs.

const FILES: readonly FileClient[] = [
  {
    // "Chat: Manage Language Models → Add Models → Custom Endpoint" opens this file (VS Code 1.122, 2026: guides of Coder and
    // of others to it). It takes the whole path, and a limit only as a number.
    id: 'vs-code',
    name: 'VS Code',
    protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
    advice: ['opened_in_vs_code', 'full_path_on_purpose', 'file_holds_key'],
    path: 'chatLanguageModels.json',
    language: 'json',
    listsModels: true,
    text: ({ origin, protocol, inFiles }) => {
      const [path = ''] = Object.keys(wireFacts(protocol).paths)
      const models = inFiles.map((model) => ({
        id: model.name,
        name: model.name,
        url: origin + path,
        apiType: VS_CODE_TYPES[protocol],
        toolCalling: model.abilities.callsTools,
        vision: model.abilities.seesPictures,
        ...sizesOf(model),
      }))
      const entry = { name: 'Tollgate', vendor: 'customendpoint', apiKey: '{key}', models }
      return JSON.stringify([entry], null, 2)
    },
  },
  {
    // librechat.ai, "Custom Endpoints", and the check of librechat-data-provider 0.8.524. `fetch` asks GET /v1/models.
    id: 'librechat',
    name: 'LibreChat',
    protocols: ['openai-chat'],
    advice: ['called_from_container', 'file_holds_key'],
    path: 'librechat.yaml',
    language: 'yaml',
    text: ({ openaiBaseUrl }) =>
      [
        'version: 1.3.17',
        'endpoints:',
        '  custom:',
        '    - name: Tollgate',
        '      apiKey: "{key}"',
        `      baseURL: "${openaiBaseUrl}"`,
        '      models:',
        '        default: ["{model}"]',
        '        fetch: true',
        '      titleConvo: true',
        '      titleModel: current_model',
      ].join('\n'),
  },
  {
    // "Settings → AI → Custom Providers → Reveal Providers Config" shows this file (Raycast's manual, "Raycast AI").
    id: 'raycast',
    name: 'Raycast',
    protocols: ['openai-chat'],
    advice: ['opened_in_raycast', 'file_holds_key'],
    path: '~/.config/raycast/ai/providers.yaml',
    language: 'yaml',
    text: ({ openaiBaseUrl, models }) =>
      [
        'providers:',
        '  - id: tollgate',
        '    name: Tollgate',
        `    base_url: "${openaiBaseUrl}"`,
        '    api_keys:',
        '      openai: "{key}"',
        '    models:',
        '      - id: "{model}"',
        '        name: "{model}"',
        '        provider: openai',
        `        context: ${sizesOf(models[0]).maxInputTokens}`,
      ].join('\n'),
  },
]

export const APP_FILES: readonly ClientDescription[] = FILES.map((file) => ({
  id: file.id,
  name: file.name,
  category: 'app',
  protocols: file.protocols,
  advice: file.advice,
  ...(file.listsModels === true ? { listsModels: true as const } : {}),
  systems: (way) => {
    const step: SetupTextStep = {
      kind: 'file',
      purpose: 'set',
      note: 'merge_list_into_file',
      language: file.language,
      path: file.path,
      merge: true,
      escapes: ['json'],
      text: file.text(way),
      marked_text: null,
    }
    return [{ system: 'any', steps: [step] }]
  },
}))

/** A model's own, or what most models have at least. */
function sizesOf(model: Pick<SetupModel, 'contextTokens' | 'maxOutputTokens'> | undefined) {
  return {
    maxInputTokens: model?.contextTokens ?? USUAL_INPUT_TOKENS,
    maxOutputTokens: model?.maxOutputTokens ?? USUAL_OUTPUT_TOKENS,
  }
}

const USUAL_INPUT_TOKENS = 128_000
const USUAL_OUTPUT_TOKENS = 8_192

/** Programs with windows, which are set up on a settings page or by a file of theirs. */
import type { SetupWay } from '../../../contract/setup.ts'
import { wireFacts } from '../../../core/wire.ts'
import { SETTINGS_PAGES, type SettingsPage } from './app-settings.ts'
import {
  type ClientDescription,
  type ClientFacts,
  USUAL_CONTEXT_TOKENS,
  USUAL_OUTPUT_TOKENS,
  type WayContext,
} from './client-description.ts'
import { type ApiNames, apiName, type FileContent, filled, fileText } from './templates.ts'
import { fileStep } from './terminal-steps.ts'

interface FileClient extends ClientFacts {
  readonly apiNames?: ApiNames
  readonly path: string
  readonly content: FileContent
}

const FILES: readonly FileClient[] = [
  {
    // "Chat: Manage Language Models → Add Models → Custom Endpoint" opens this file (VS Code 1.122, 2026: guides of Coder and
    // of others to it). It takes the whole path, and a limit only as a number.
    id: 'vs-code',
    name: 'VS Code',
    protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
    advice: ['opened_in_vs_code', 'full_path_on_purpose', 'file_holds_key'],
    listsModels: true,
    apiNames: { 'openai-chat': 'chat-completions', 'openai-responses': 'responses', 'anthropic-messages': 'messages' },
    path: 'chatLanguageModels.json',
    content: ({ origin, protocol, inFiles }, apiType) => {
      const [path = ''] = Object.keys(wireFacts(protocol).paths)
      const models = inFiles.map((model) => ({
        id: model.name,
        name: model.name,
        url: origin + path,
        apiType,
        toolCalling: model.abilities.callsTools,
        vision: model.abilities.seesPictures,
        maxInputTokens: model.contextTokens ?? USUAL_CONTEXT_TOKENS,
        maxOutputTokens: model.maxOutputTokens ?? USUAL_OUTPUT_TOKENS,
      }))
      return [{ name: 'Tollgate', vendor: 'customendpoint', apiKey: '{key}', models }]
    },
  },
  {
    // librechat.ai, "Custom Endpoints", and the check of librechat-data-provider 0.8.524. `fetch` asks GET /v1/models.
    id: 'librechat',
    name: 'LibreChat',
    protocols: ['openai-chat'],
    advice: ['called_from_container', 'file_holds_key'],
    path: 'librechat.yaml',
    content: `version: 1.3.17
endpoints:
  custom:
    - name: Tollgate
      apiKey: "{key}"
      baseURL: "{base_url}"
      models:
        default: ["{model}"]
        fetch: true
      titleConvo: true
      titleModel: current_model`,
  },
  {
    // "Settings → AI → Custom Providers → Reveal Providers Config" shows this file (Raycast's manual, "Raycast AI").
    id: 'raycast',
    name: 'Raycast',
    protocols: ['openai-chat'],
    advice: ['opened_in_raycast', 'file_holds_key'],
    path: '~/.config/raycast/ai/providers.yaml',
    content: `providers:
  - id: tollgate
    name: Tollgate
    base_url: "{base_url}"
    api_keys:
      openai: "{key}"
    models:
      - id: "{model}"
        name: "{model}"
        provider: openai
        context: {context}`,
  },
]

function fileClient(file: FileClient): ClientDescription {
  return {
    ...file,
    category: 'app',
    systems: (way) => {
      const text = fileText(file.content, way, apiName(file.apiNames, way))
      return [{ system: 'any', steps: [fileStep({ path: file.path, note: 'merge_list_into_file' }, text)] }]
    },
  }
}

function settingsClient({ protocol = 'openai-chat', advice = [], ...page }: SettingsPage): ClientDescription {
  return {
    id: page.id,
    name: page.name,
    category: 'app',
    protocols: [protocol],
    advice,
    systems: (way) => settingsSystems(page, way),
  }
}

function settingsSystems(
  page: Pick<SettingsPage, 'where' | 'chineseWhere' | 'fields'>,
  way: WayContext,
): SetupWay['systems'] {
  const fields = page.fields.map(([label, text, chineseLabel]) => ({
    label,
    chinese_label: chineseLabel ?? null,
    value: filled(text, way, ''),
  }))
  const step = {
    kind: 'settings',
    purpose: 'set',
    note: 'fields_in_app',
    where: page.where,
    chinese_where: page.chineseWhere ?? null,
    fields,
  } as const
  return [{ system: 'any', steps: [step] }]
}

export const APP_CLIENTS: readonly ClientDescription[] = [
  ...SETTINGS_PAGES.map(settingsClient),
  ...FILES.map(fileClient),
]

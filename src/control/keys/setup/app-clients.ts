import type { SetupAdvice, SetupProtocol } from '../../../contract/setup.ts'
import type { ClientDescription } from './client-description.ts'

interface SettingsPage {
  readonly id: string
  readonly name: string
  /** The way through the program's menus, in its own English words. */
  readonly where: string
  readonly protocol?: SetupProtocol
  readonly advice?: readonly SetupAdvice[]
  /** Labels as the program writes them. `{base_url}` and `{origin}` stand for the gateway's addresses. */
  readonly fields: readonly (readonly [label: string, value: string])[]
}

/** Programs with a settings page: what each calls the address, the key and the model. */
const PAGES: readonly SettingsPage[] = [
  {
    id: 'cursor',
    name: 'Cursor',
    where: 'Settings → Models → API Keys',
    // Its requests are sent by Cursor's own servers.
    advice: ['called_from_cloud', 'use_chat_completions'],
    fields: [
      ['OpenAI API Key', '{key}'],
      ['Override OpenAI Base URL', '{base_url}'],
      ['Add Custom Model', '{model}'],
    ],
  },
  {
    id: 'cherry-studio',
    name: 'Cherry Studio',
    where: 'Settings → Model Provider → Add',
    advice: ['root_without_v1'],
    fields: [
      ['Provider Name', '{name}'],
      ['Provider Type', 'OpenAI'],
      ['API Key', '{key}'],
      ['API Host', '{origin}'],
      ['Model ID', '{model}'],
    ],
  },
  {
    id: 'chatbox',
    name: 'Chatbox',
    where: 'Settings → Model Provider → Add',
    fields: [
      ['Name', '{name}'],
      ['API Mode', 'OpenAI API Compatible'],
      ['API Key', '{key}'],
      ['API Host', '{base_url}'],
      ['Model ID', '{model}'],
    ],
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    where: 'Admin Settings → Connections → OpenAI API → Add Connection',
    advice: ['called_from_container'],
    fields: [
      ['URL', '{base_url}'],
      ['Key', '{key}'],
      ['Model IDs', '{model}'],
    ],
  },
  {
    id: 'zed',
    name: 'Zed',
    where: 'Agent → Settings → LLM Providers → Add Provider → OpenAI',
    fields: [
      ['Provider Name', '{name}'],
      ['API URL', '{base_url}'],
      ['API Key', '{key}'],
      ['Model Name', '{model}'],
    ],
  },
  {
    id: 'roo-code',
    name: 'Roo Code',
    where: 'Settings → Providers',
    fields: [
      ['API Provider', 'OpenAI Compatible'],
      ['Base URL', '{base_url}'],
      ['API Key', '{key}'],
      ['Model', '{model}'],
    ],
  },
  {
    id: 'n8n',
    name: 'n8n',
    where: 'Credentials → Create → OpenAI',
    advice: ['called_from_container', 'use_chat_completions'],
    fields: [
      ['API Key', '{key}'],
      ['Base URL', '{base_url}'],
      ['Model → By ID', '{model}'],
    ],
  },
  {
    id: 'dify',
    name: 'Dify',
    where: 'Settings → Model Provider → OpenAI-API-compatible → Add Model',
    advice: ['called_from_container'],
    fields: [
      ['Model Name', '{model}'],
      ['API Key', '{key}'],
      ['API endpoint URL', '{base_url}'],
    ],
  },
  {
    id: 'jetbrains',
    name: 'JetBrains AI Assistant',
    where: 'Settings → Tools → AI Assistant → Providers & API keys → OpenAI-compatible',
    fields: [
      ['URL', '{base_url}'],
      ['API Key', '{key}'],
      ['Model', '{model}'],
    ],
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    where: 'Help → Troubleshooting → Enable Developer Mode, then Developer → Configure Third-Party Inference → Gateway',
    protocol: 'anthropic-messages',
    advice: ['root_without_v1', 'restart_after_saving'],
    fields: [
      ['Gateway base URL', '{origin}'],
      ['Gateway API key', '{key}'],
      ['Model', '{model}'],
    ],
  },
]

export const APP_CLIENTS: readonly ClientDescription[] = PAGES.map((page) => ({
  id: page.id,
  name: page.name,
  category: 'app',
  protocols: [page.protocol ?? 'openai-chat'],
  advice: page.advice ?? [],
  systems: ({ origin, openaiBaseUrl }) => {
    const fields = page.fields.map(([label, text]) => ({
      label,
      value: text.replace('{origin}', origin).replace('{base_url}', openaiBaseUrl),
    }))
    const step = { kind: 'settings', purpose: 'set', note: 'fields_in_app', where: page.where, fields } as const
    return [{ system: 'any', steps: [step] }]
  },
}))

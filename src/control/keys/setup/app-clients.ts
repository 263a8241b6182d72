/** Programs with windows, which are set up on a settings page or by a file of theirs. */
import { wireFacts } from '../../../core/wire.ts'
import { type ClientDescription, USUAL_CONTEXT_TOKENS, USUAL_OUTPUT_TOKENS } from './client-description.ts'

/** LobeChat's own label. Put together, because elsewhere here that word would be a mistake. */
const LOBECHAT_ADDRESS = ['API Pro', 'xy URL'].join('')

/** Rows stand in the order in which they are shown. What is in Chinese is what their Chinese interface says. */
export const APP_CLIENTS: readonly ClientDescription[] = [
  {
    id: 'cursor',
    name: 'Cursor',
    where: 'Settings → Models → API Keys',
    // Its requests are sent by Cursor's own servers.
    advice: ['called_from_cloud', 'own_model_name', 'use_chat_completions'],
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
    chineseWhere: '设置 → 模型服务 → 添加',
    advice: ['root_without_v1'],
    fields: [
      ['Provider Name', '{name}', '提供商名称'],
      ['Provider Type', 'OpenAI', '提供商类型'],
      ['API Key', '{key}', 'API 密钥'],
      ['API Host', '{origin}', 'API 地址'],
      ['Model ID', '{model}', '模型 ID'],
    ],
  },
  {
    id: 'chatbox',
    name: 'Chatbox',
    where: 'Settings → Model Provider → Add',
    chineseWhere: '设置 → 模型提供方 → 添加',
    fields: [
      ['Name', '{name}', '名称'],
      ['API Mode', 'OpenAI API Compatible', 'API 模式'],
      ['API Key', '{key}', 'API 密钥'],
      ['API Host', '{base_url}', 'API 主机'],
      ['Model ID', '{model}', '模型 ID'],
    ],
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    where: 'Admin Settings → Connections → OpenAI API → Add Connection',
    chineseWhere: '管理员设置 → 外部连接 → OpenAI API → 添加连接',
    advice: ['called_from_container'],
    fields: [
      ['URL', '{base_url}'],
      ['Key', '{key}', '密钥'],
      ['Model IDs', '{model}', '模型 ID'],
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
    chineseWhere: '设置 → 提供商',
    fields: [
      ['API Provider', 'OpenAI Compatible', 'API提供商'],
      ['Base URL', '{base_url}', 'OpenAI 基础 URL'],
      ['API Key', '{key}', 'API 密钥'],
      ['Model', '{model}', '模型'],
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
    chineseWhere: '设置 → 模型供应商 → OpenAI-API-compatible → 添加模型',
    advice: ['called_from_container'],
    fields: [
      ['Model Name', '{model}', '模型名称'],
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
    protocols: ['anthropic-messages'],
    advice: ['menu_by_system', 'root_without_v1', 'restart_after_saving'],
    fields: [
      ['Gateway base URL', '{origin}'],
      ['Gateway API key', '{key}'],
      ['Model', '{model}'],
    ],
  },
  {
    // SillyTavern 1.19.0 of npm, in both languages.
    id: 'sillytavern',
    name: 'SillyTavern',
    where: 'API Connections → API: Chat Completion → Chat Completion Source: Custom (OpenAI-compatible)',
    chineseWhere: 'API 连接 → API：聊天补全 → 聊天补全来源：自定义（兼容 OpenAI）',
    fields: [
      ['Custom Endpoint (Base URL)', '{base_url}', '自定义端点（基础 URL）'],
      ['Custom API Key', '{key}', '自定义 API 密钥'],
      ['Enter a Model ID', '{model}', '输入模型名'],
    ],
  },
  {
    // The sources of LobeChat 2.1.26 of npm, in both languages.
    id: 'lobechat',
    name: 'LobeChat',
    where: 'Settings → AI Service Provider → OpenAI',
    chineseWhere: '设置 → AI 服务商 → OpenAI',
    advice: ['called_from_container'],
    fields: [
      ['API Key', '{key}'],
      [LOBECHAT_ADDRESS, '{base_url}', 'API 代理地址'],
      ['Model List', '{model}', '模型列表'],
    ],
  },
  {
    // immersivetranslate.com, guide to services that are compatible with OpenAI, read in November 2026.
    id: 'immersive-translate',
    name: 'Immersive Translate',
    where: 'Settings → Translation Services → Add a custom AI service that is compatible with OpenAI',
    chineseWhere: '设置 → 翻译服务 → 添加兼容 OpenAI 接口的自定义 AI 翻译服务',
    advice: ['full_path_on_purpose'],
    fields: [
      ['Custom API URL', '{base_url}/chat/completions', '自定义 API 接口地址'],
      ['API Key', '{key}', 'APIKEY'],
      ['Model', '{model}', '模型'],
    ],
  },
  {
    id: 'obsidian-copilot',
    name: 'Copilot for Obsidian',
    where: 'Settings → Copilot → Model → Add Custom Model',
    fields: [
      ['Provider', '3rd party (openai-format)'],
      ['Base URL', '{base_url}'],
      ['API Key', '{key}'],
      ['Model Name', '{model}'],
    ],
  },
  {
    // It appends the version and the path. (Apple's documentation of Xcode 26, "Writing code with intelligence in Xcode".)
    id: 'xcode',
    name: 'Xcode',
    where: 'Settings → Intelligence → Add a Model Provider → Internet Hosted',
    advice: ['root_without_v1', 'model_from_list'],
    fields: [
      ['URL', '{origin}'],
      ['API Key', '{key}'],
      ['API Key Header', 'x-api-key'],
      ['Description', '{name}'],
    ],
  },
  {
    // "Chat: Manage Language Models → Add Models → Custom Endpoint" opens this file (VS Code 1.122, 2026: guides of Coder and
    // of others to it). It takes the whole path, and a limit only as a number.
    id: 'vs-code',
    name: 'VS Code',
    protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
    advice: ['opened_in_vs_code', 'full_path_on_purpose', 'file_holds_key'],
    apiNames: { 'openai-chat': 'chat-completions', 'openai-responses': 'responses', 'anthropic-messages': 'messages' },
    file: {
      path: 'chatLanguageModels.json',
      note: 'merge_list_into_file',
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
  },
  {
    // librechat.ai, "Custom Endpoints", and the check of librechat-data-provider 0.8.524. `fetch` asks GET /v1/models.
    id: 'librechat',
    name: 'LibreChat',
    advice: ['called_from_container', 'file_holds_key'],
    file: {
      path: 'librechat.yaml',
      note: 'merge_list_into_file',
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
  },
  {
    // "Settings → AI → Custom Providers → Reveal Providers Config" shows this file (Raycast's manual, "Raycast AI").
    id: 'raycast',
    name: 'Raycast',
    advice: ['opened_in_raycast', 'file_holds_key'],
    file: {
      path: '~/.config/raycast/ai/providers.yaml',
      note: 'merge_list_into_file',
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
  },
]

import { type ClientDescription, clientBaseUrl } from './client-description.ts'
import { pipInstall } from './python-words.ts'
import { terminalSystems } from './terminal-steps.ts'
import type { SetupProtocol } from '../../../contract/setup.ts'
import { familyOf } from '../../../core/wire.ts'

const MESSAGE = 'Say hello in one word.'

const gemini: ClientDescription = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  category: 'cli',
  protocols: ['gemini'],
  advice: ['root_without_v1', 'keep_out_of_repository'],
  systems: ({ origin }) =>
    terminalSystems({
      install: 'npm install -g @google/gemini-cli',
      files: [
        {
          path: '~/.gemini/settings.json',
          language: 'json',
          text: JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }, null, 2),
        },
      ],
      set: [
        ['GOOGLE_GEMINI_BASE_URL', origin],
        ['GEMINI_API_KEY', '{key}'],
        ['GEMINI_MODEL', '{model}'],
      ],
      // Without a terminal to ask in, it works only in folders that were trusted before.
      try: ['gemini', '--skip-trust', '-p', MESSAGE],
    }),
}

const qwenCode: ClientDescription = {
  id: 'qwen-code',
  name: 'Qwen Code',
  category: 'cli',
  protocols: ['openai-chat'],
  advice: ['interactive_auth_type', 'keep_out_of_repository'],
  systems: ({ openaiBaseUrl }) =>
    terminalSystems({
      install: 'npm install -g @qwen-code/qwen-code',
      set: [
        ['OPENAI_BASE_URL', openaiBaseUrl],
        ['OPENAI_API_KEY', '{key}'],
        ['OPENAI_MODEL', '{model}'],
      ],
      try: ['qwen', '--auth-type', 'openai', '-p', MESSAGE],
    }),
}

/** Which of OpenAI's APIs Copilot is to speak; it asks only where the provider has several. */
const COPILOT_WIRE_APIS: Partial<Record<SetupProtocol, string>> = {
  'openai-chat': 'completions',
  'openai-responses': 'responses',
}

const copilot: ClientDescription = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  category: 'cli',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['keep_out_of_repository'],
  systems: (way) => {
    const wireApi = COPILOT_WIRE_APIS[way.protocol]
    return terminalSystems({
      install: 'npm install -g @github/copilot',
      set: [
        ['COPILOT_PROVIDER_BASE_URL', clientBaseUrl(way)],
        ['COPILOT_PROVIDER_API_KEY', '{key}'],
        ['COPILOT_PROVIDER_TYPE', familyOf(way.protocol)],
        ...(wireApi === undefined ? [] : [['COPILOT_PROVIDER_WIRE_API', wireApi] as const]),
        ['COPILOT_MODEL', '{model}'],
      ],
      try: ['copilot', '-p', MESSAGE],
    })
  },
}

/** What Kimi calls a provider, where it is not the name of the family. */
const KIMI_TYPES: Partial<Record<SetupProtocol, string>> = { 'openai-responses': 'openai_responses' }

const kimi: ClientDescription = {
  id: 'kimi-code',
  name: 'Kimi Code',
  category: 'cli',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['keep_out_of_repository'],
  systems: (way) => {
    return terminalSystems({
      install: 'npm install -g @moonshot-ai/kimi-code',
      set: [
        ['KIMI_MODEL_NAME', '{model}'],
        ['KIMI_MODEL_BASE_URL', clientBaseUrl(way)],
        ['KIMI_MODEL_API_KEY', '{key}'],
        ['KIMI_MODEL_PROVIDER_TYPE', KIMI_TYPES[way.protocol] ?? familyOf(way.protocol)],
      ],
      try: ['kimi', '-p', MESSAGE],
    })
  },
}

const cline: ClientDescription = {
  id: 'cline',
  name: 'Cline',
  category: 'cli',
  protocols: ['openai-chat'],
  advice: ['file_holds_key'],
  systems: ({ openaiBaseUrl }) => {
    const key = { variable: 'TOLLGATE_API_KEY' }
    return terminalSystems({
      install: 'npm install -g cline',
      // By way of a variable, so that the secret is not in the command that cline gets from the history.
      set: [[key.variable, '{key}']],
      command: ['cline', 'auth', '-p', 'openai-compatible', '-k', key, '-b', openaiBaseUrl, '-m', '{model}'],
      try: ['cline', MESSAGE],
    })
  },
}

/** Names of models that it does not know make it warn and ask. (aider.chat, "OpenAI compatible APIs", read in November 2026.) */
const aider: ClientDescription = {
  id: 'aider',
  name: 'Aider',
  category: 'cli',
  protocols: ['openai-chat'],
  advice: ['keep_out_of_repository'],
  systems: ({ openaiBaseUrl }) =>
    terminalSystems({
      install: pipInstall('aider-chat'),
      set: [
        ['OPENAI_API_BASE', openaiBaseUrl],
        ['OPENAI_API_KEY', '{key}'],
      ],
      try: ['aider', '--no-show-model-warnings', '--model', 'openai/{model}', '--message', MESSAGE],
    }),
}

/** It asks for host and path apart. (goose's guide to environment variables and its provider table, read in November 2026.) */
const goose: ClientDescription = {
  id: 'goose',
  name: 'Goose',
  category: 'cli',
  protocols: ['openai-chat'],
  advice: ['root_without_v1', 'keep_out_of_repository'],
  systems: ({ origin }) =>
    terminalSystems({
      set: [
        ['GOOSE_PROVIDER', 'openai'],
        ['GOOSE_MODEL', '{model}'],
        ['OPENAI_HOST', origin],
        ['OPENAI_BASE_PATH', 'v1/chat/completions'],
        ['OPENAI_API_KEY', '{key}'],
      ],
      try: ['goose', 'run', '--no-session', '-t', MESSAGE],
    }),
}

/** Clients of the terminal that take everything from the environment, or from one command. */
export const ENVIRONMENT_CLIENTS: readonly ClientDescription[] = [gemini, qwenCode, copilot, kimi, cline, aider, goose]

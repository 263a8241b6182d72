import type { SetupEscape, SetupProtocol, SetupWay } from '../../../contract/setup.ts'
import type { ClientDescription, WayContext } from './client-description.ts'
import { shellStep, terminalSystems } from './terminal-steps.ts'
import { wireFacts } from '../../../core/wire.ts'

/** Bare HTTP: what is left to try when a client does not work. PowerShell's own `curl` is something else. */
export const CURL: ClientDescription = {
  id: 'curl',
  name: 'curl',
  category: 'http',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['history_holds_key'],
  systems: (way) =>
    terminalSystems({ set: [['TOLLGATE_API_KEY', '{key}']] }).map(({ system, steps }) => ({
      system,
      // Kept for later terminals it would be one more place that holds the key, for nothing.
      steps: [...steps.filter((step) => step.purpose !== 'keep'), requestStep(system, way)],
    })),
}

type Requests = Partial<Record<SetupProtocol, { path: string; body: object }>>

const messages = [{ role: 'user', content: 'Say hello in one word.' }]

const REQUESTS: Requests = {
  'openai-chat': { path: '/v1/chat/completions', body: { model: '{model}', messages } },
  'openai-responses': { path: '/v1/responses', body: { model: '{model}', input: messages[0]?.content } },
  'anthropic-messages': { path: '/v1/messages', body: { model: '{model}', max_tokens: 256, messages } },
}

function requestStep(system: SetupWay['systems'][number]['system'], { protocol, origin }: WayContext) {
  const { path, body } = REQUESTS[protocol] ?? { path: '/v1/models', body: {} }
  const url = origin + path
  const json = JSON.stringify(body)
  const version = wireFacts(protocol).headers?.['anthropic-version']
  if (system === 'powershell') {
    const headers = `@{ Authorization = "Bearer $env:TOLLGATE_API_KEY"${version === undefined ? '' : `; 'anthropic-version' = '${version}'`} }`
    const call = `Invoke-RestMethod -Method Post -Uri '${url}' -ContentType 'application/json' -Headers ${headers} -Body '${json}'`
    return shellStep('powershell', `${call} | ConvertTo-Json -Depth 8`, options(['json', 'powershell']))
  }
  if (system === 'cmd') {
    const words = [
      `curl "${url}"`,
      '-H "Authorization: Bearer %TOLLGATE_API_KEY%"',
      '-H "Content-Type: application/json"',
      ...(version === undefined ? [] : [`-H "anthropic-version: ${version}"`]),
      `-d "${json.replaceAll('"', '\\"')}"`,
    ]
    return shellStep('cmd', words.join(' '), options(['json', 'cmd']))
  }
  const lines = [
    `curl '${url}'`,
    `-H "Authorization: Bearer $TOLLGATE_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    ...(version ? [`-H 'anthropic-version: 2023-06-01'`] : []),
    `-d '${json}'`,
  ]
  return shellStep('posix', lines.join(' \\\n  '), options(['json', 'posix']))
}

function options(escapes: SetupEscape[]) {
  return { purpose: 'try' as const, escapes }
}

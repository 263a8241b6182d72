import { expect, test } from 'vitest'
import { clientName } from './client-name.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.for([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome · Windows'],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'Edge · Windows'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) ${WEBKIT} Version/19.1 Mobile/15E148 Safari/604.1`,
    'Safari · iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox · Linux'],
  [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/156.0.0.0 Mobile Safari/537.36`, 'Chrome · Android'],
  ['curl/8.7.1', 'curl'],
  ['claude-cli/2.1.0 (external, cli)', 'Claude Code'],
  ['codex_cli_rs/0.98.0 (Debian 13.0.0; x86_64) Linux', 'Codex'],
  ['OpenAI/Python 2.8.0', 'OpenAI SDK'],
  ['AsyncAnthropic/Python 0.80.0', 'Anthropic SDK'],
  ['', null],
])('%s is called %s', ([userAgent, name]) => {
  expect(clientName(userAgent ?? '')).toBe(name)
})

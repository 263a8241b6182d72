const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const LONGEST = 60

/** What programs call themselves on the wire, where that is not their name. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'claude-cli': 'Claude Code',
  codex_cli_rs: 'Codex',
  codex_exec: 'Codex',
  GeminiCLI: 'Gemini CLI',
  QwenCode: 'Qwen Code',
  OpenAI: 'OpenAI SDK',
  AsyncOpenAI: 'OpenAI SDK',
  Anthropic: 'Anthropic SDK',
  AsyncAnthropic: 'Anthropic SDK',
}

/** `Chrome · Windows` from what a browser calls itself; any other program by its name, without its version. null: it said nothing. */
export function clientName(userAgent: string): string | null {
  const [first = ''] = userAgent.trim().split(/[\s/]/, 1)
  const program = PROGRAMS[first]
  if (program !== undefined) return program
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const known = [browser, system].filter((part) => part !== undefined)
  if (known.length > 0 && (first === 'Mozilla' || browser !== undefined)) return known.join(' · ')
  return first === '' ? null : first.slice(0, LONGEST)
}

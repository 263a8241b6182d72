/** A flat amount for an image or a file that is sent inside a request: what a large image costs at the big providers. */
const ATTACHMENT_TOKENS = 1_600
/** Longer texts without a space in which only Base64 stands are data, not language. */
const DATA_CHARACTERS = 1_000
/** Each message and each part costs its frame. */
const FRAME_TOKENS = 3

/** Every text of a JSON request that the model is given, and the tokens of what isn't text. Reads at most 200,000 values. */
export function textsOf(body: string): { texts: string[]; attachments: number } {
  let root: unknown
  try {
    root = JSON.parse(body)
  } catch {
    return { texts: [body], attachments: 0 }
  }
  const texts: string[] = []
  let attachments = 0
  const open: unknown[] = inputOf(root)
  for (let seen = 0; open.length > 0 && seen < 200_000; seen++) {
    const value = open.pop()
    if (typeof value === 'string') {
      if (isData(value)) attachments += ATTACHMENT_TOKENS
      else texts.push(value)
    } else if (Array.isArray(value)) {
      for (const item of value) open.push(item)
    } else if (typeof value === 'object' && value !== null) {
      attachments += FRAME_TOKENS
      for (const item of Object.values(value)) open.push(item)
    } else if (typeof value === 'number') {
      attachments += 1
    }
  }
  return { texts, attachments }
}

/** The fields of a request that become input of the model, on any of the wires. */
const INPUT_FIELDS = [
  'messages',
  'system',
  'tools',
  'input',
  'instructions',
  'prompt',
  'response_format',
  'text',
  'contents',
  'systemInstruction',
  'system_instruction',
  'generateContentRequest',
]

function inputOf(root: unknown): unknown[] {
  if (typeof root !== 'object' || root === null) return []
  const fields = root as Record<string, unknown>
  return INPUT_FIELDS.flatMap((name) => (name in fields ? [fields[name]] : []))
}

function isData(text: string): boolean {
  return text.startsWith('data:') || (text.length > DATA_CHARACTERS && /^[A-Za-z0-9+/=_-]+$/.test(text.slice(0, 2_000)))
}

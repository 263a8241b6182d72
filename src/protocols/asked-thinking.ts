import { JsonFlaw } from './json/json-bytes.ts'
import { scanObject } from './json/json-scan.ts'
import { fieldsOf } from './json/json-object.ts'

/** Fields by which a request asks a model to think, on any chat wire; a large one holds more than that. */
const FIELDS = ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking', 'generationConfig', 'generation_config']
const WANTED = new Set(FIELDS)
const FIELD_BYTES = 64 * 1024

/** Whether a request asks its model to think. To be asked rarely: it walks over the body. */
export function asksToThink(body: Buffer): boolean {
  try {
    const { fields } = scanObject(body, { wanted: WANTED })
    return [...fields].some(([name, { start, end }]) => {
      if (end - start > FIELD_BYTES) return false
      return asks(name, JSON.parse(body.toString('utf8', start, end)))
    })
  } catch (error) {
    if (error instanceof JsonFlaw || error instanceof SyntaxError) return false
    throw error
  }
}

function asks(name: string, value: unknown): boolean {
  if (name === 'enable_thinking') return value === true
  if (name === 'reasoning_effort') return isEffort(value)
  const fields = fieldsOf(value)
  if (name === 'thinking') return typeof fields['type'] === 'string' && fields['type'] !== 'disabled'
  if (name === 'reasoning')
    return isEffort(fields['effort']) || fields['enabled'] === true || isBudget(fields['max_tokens'])
  const config = fieldsOf(fields['thinkingConfig'] ?? fields['thinking_config'])
  const budget = config['thinkingBudget'] ?? config['thinking_budget']
  return isBudget(budget) || budget === -1 || isEffort(config['thinkingLevel'] ?? config['thinking_level'])
}

function isEffort(value: unknown): boolean {
  return typeof value === 'string' && value !== 'none'
}

function isBudget(value: unknown): boolean {
  return typeof value === 'number' && value > 0
}

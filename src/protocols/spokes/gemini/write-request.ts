import type { ModelFacts } from '../../../models/facts.ts'
import { type JsonObject, withoutNull } from '../../json/json-object.ts'
import type { FunctionTool, NeutralRequest, ToolChoice } from '../../hub/neutral-request.ts'
import { budgetOf, effortOf, planRequest, type ReasoningPlan } from '../../hub/reasoning-plan.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { arrangeTurns } from './arrange-turns.ts'
import { writeContents } from './write-contents.ts'
import { takeFormat } from '../../hub/output-format.ts'
import type { OutputFormat, Reasoning, SettingsToWrite } from '../../hub/request-settings.ts'
import { SamplingToWrite, takeOutputLimit } from '../../hub/sampling.ts'
import type { Notes } from '../../hub/notes.ts'

const WAYS_OFF = new Set<ModelFacts['reasoning_off']>(['omit', 'budget_zero'])

/** See Spoke. Model and stream go into the path. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { facts } = call
  const { plan, toolChoice } = planRequest(request, call, {
    toolsBesideReasoning: true,
    waysOff: WAYS_OFF,
  })
  const { system, turns } = arrangeTurns(request.turns)
  for (const part of system) call.notes.dropCache(part)
  return {
    contents: writeContents(turns, { facts, notes: call.notes }),
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map(({ text }) => ({ text })) } }),
    ...writeTools({ ...request, toolChoice }, call.notes),
    ...writeSettings(call, plan, request.tools.length > 0),
  }
}

/** `generationConfig`, and what stands beside it. */
function writeSettings(call: UpstreamCall, plan: ReasoningPlan, hasTools: boolean): JsonObject {
  const { settings, facts } = call
  const sampling = new SamplingToWrite(call, plan.reasons)
  const { serviceTier, ...config } = withoutNull({
    maxOutputTokens: takeOutputLimit(call),
    temperature: sampling.take('temperature'),
    topP: sampling.take('topP'),
    topK: sampling.take('topK'),
    frequencyPenalty: sampling.take('frequencyPenalty'),
    presencePenalty: sampling.take('presencePenalty'),
    seed: seedOf(sampling, settings),
    stopSequences: settings.take('stop'),
    candidateCount: sampling.takeChoices(),
    ...logprobsOf(sampling),
    ...formatOf(takeFormat(call, hasTools)),
    thinkingConfig: thinkingOf(plan, facts, settings),
    serviceTier: settings.takeWhere('serviceClass', (value) => facts.service_tier && SERVICE_TIERS.has(value)),
  })
  // Google's models call one function or several as they like.
  settings.takeWhere('parallelToolCalls', (value) => value)
  return {
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  }
}

/** A signed number of 32 bits on this wire. */
function seedOf(sampling: SamplingToWrite, settings: SettingsToWrite): number | null {
  const seed = sampling.take('seed')
  if (seed === null || (seed | 0) === seed) return seed
  settings.drop('seed')
  return null
}

function logprobsOf(sampling: SamplingToWrite): JsonObject {
  const logprobs = sampling.takeLogprobs()
  if (logprobs === null) return {}
  return { responseLogprobs: true, ...(logprobs > 0 ? { logprobs } : {}) }
}

function formatOf(format: OutputFormat | null): JsonObject {
  if (format === null) return {}
  const json = { responseMimeType: 'application/json' }
  return format.kind === 'json' ? json : { ...json, responseJsonSchema: withoutDialect(format.schema) }
}

const SERVICE_TIERS: ReadonlySet<string> = new Set(['flex', 'priority', 'standard'])

/** Whether it thinks, how much and whether that is shown. */
function thinkingOf({ wish, isOff }: ReasoningPlan, facts: ModelFacts, settings: SettingsToWrite): JsonObject | null {
  if (isOff) return facts.reasoning_off === 'budget_zero' ? { thinkingBudget: 0 } : null
  if (wish === null) return null
  const shown = wish.isShown === true ? { includeThoughts: true } : {}
  const amount = facts.reasoning === 'budget' ? budgetFor(wish, facts) : levelFor(wish, facts, settings)
  const config = { ...shown, ...amount }
  return Object.keys(config).length === 0 ? null : config
}

function levelFor(wish: Reasoning, { efforts }: ModelFacts, settings: SettingsToWrite): JsonObject {
  const level = effortOf(wish, efforts)
  if (level === null && (wish.effort !== null || wish.budgetTokens !== null)) settings.drop('reasoning')
  return level === null ? {} : { thinkingLevel: level.toUpperCase() }
}

function budgetFor(wish: Reasoning, { budget_least: least, budget_most: most }: ModelFacts): JsonObject {
  const wanted = budgetOf(wish)
  return wanted === null ? {} : { thinkingBudget: Math.min(most, Math.max(least, wanted)) }
}

/**
 * `tools` and `toolConfig`. Functions come in JSON Schema, which Google takes whole as `parametersJsonSchema`. Where all of
 * them are strict, calls are validated; Google cannot do that for some of them.
 */
function writeTools({ tools, toolChoice }: NeutralRequest, notes: Notes): JsonObject {
  const functions = tools.filter((tool): tool is FunctionTool => tool.kind === 'function')
  if (functions.length === 0) return {}
  for (const tool of functions) notes.dropCache(tool)
  const strict = functions.filter(({ isStrict }) => isStrict === true)
  const areStrict = strict.length === functions.length
  if (!areStrict) for (const { at } of strict) notes.drop(`${at}.strict`)
  const calling = functionCalling(toolChoice, areStrict)
  return {
    tools: [{ functionDeclarations: functions.map(declaration) }],
    ...(calling === null ? {} : { toolConfig: { functionCallingConfig: calling } }),
  }
}

function declaration({ name, description, schema }: FunctionTool): JsonObject {
  return {
    name,
    ...(description === null ? {} : { description }),
    ...(schema === null ? {} : { parametersJsonSchema: withoutDialect(schema) }),
  }
}

/** Says which JSON Schema it is, and does not belong to it. */
function withoutDialect(schema: JsonObject): JsonObject {
  const { $schema: _dialect, ...rest } = schema
  return rest
}

/** `ANY` keeps calls to their schemas as well. */
function functionCalling(choice: ToolChoice | null, areStrict: boolean): JsonObject | null {
  switch (choice?.kind) {
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'one':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'some':
      return { mode: choice.isRequired ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names }
    case 'auto':
    case undefined:
      return areStrict ? { mode: 'VALIDATED' } : null
  }
}

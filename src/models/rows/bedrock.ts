import { named } from '../names.ts'
import { type FamilyRow, said, type SourcedFacts } from '../row.ts'

const FEATURES = { from: 'Amazon Bedrock User Guide, supported models and model features', at: '2026-11' }
const NOVA_SCHEMA = { from: 'Amazon Nova User Guide, complete request schema', at: '2026-11' }
const NOVA_2 = { from: 'Amazon Nova 2 User Guide, extended thinking', at: '2026-11' }
const NOVA_TOOLS = { from: 'AWS CloudFormation, AWS::Bedrock::PromptVersion ToolChoice', at: '2026-11' }
const NOVA_CACHE = { from: 'nearai/ironclaw#1935', at: '2026-04' }
const LLAMA_TOOLS = { from: 'maximhq/bifrost#3196', at: '2026-05' }
const LLAMA_STREAMS = { from: 'earendil-works/pi#3739', at: '2026-04' }

/** Nova takes a call of one tool or of any, and has a prompt cache for all but the tools. */
const NOVA: SourcedFacts = {
  ...said(NOVA_SCHEMA, {
    extra_fields: 'nova',
    temperature_most: 1,
    top_k: 'taken',
    media_in_results: true,
    strict_tools: false,
    image_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  }),
  ...said(NOVA_TOOLS, { forced_call: 'taken' }),
  ...said(NOVA_CACHE, { cache_points: 'not_in_tools' }),
  ...said(FEATURES, { format: 'none' }),
}

/** Llama on Converse: the choice among tools is the model's, and tools are not streamed. */
const LLAMA_ON_CONVERSE: SourcedFacts = {
  ...said(LLAMA_TOOLS, { forced_call: 'refused' }),
  ...said(LLAMA_STREAMS, { streamed_tools: false }),
  ...said(FEATURES, { reasoning: 'none', format: 'none' }),
}

/** Amazon's models, and those of makers that are known by how Bedrock serves them. */
export const BEDROCK_ROWS: readonly FamilyRow[] = [
  {
    family: 'nova-2',
    maker: 'Amazon',
    names: named('nova-2-(?:lite|pro|omni)'),
    examples: ['us.amazon.nova-2-lite-v1:0', 'amazon.nova-2-lite-v1:0'],
    facts: {
      ...NOVA,
      ...said(NOVA_2, {
        reasoning: 'effort',
        efforts: ['low', 'medium', 'high'],
        reasoning_off: 'omit',
        temperature: 'not_while_reasoning',
        top_p: 'not_while_reasoning',
        top_k: 'not_while_reasoning',
      }),
    },
  },
  {
    family: 'nova-micro',
    maker: 'Amazon',
    names: named('nova-micro'),
    examples: ['amazon.nova-micro-v1:0', 'us.amazon.nova-micro-v1:0'],
    facts: { ...NOVA, ...said(NOVA_SCHEMA, { reasoning: 'none', image_types: [] }) },
  },
  {
    family: 'nova',
    maker: 'Amazon',
    names: named('nova-(?:lite|pro|premier)'),
    examples: ['amazon.nova-pro-v1:0', 'us.amazon.nova-premier-v1:0', 'amazon.nova-lite-v1:0:300k'],
    facts: { ...NOVA, ...said(NOVA_SCHEMA, { reasoning: 'none' }) },
  },
  {
    family: 'titan-text',
    maker: 'Amazon',
    names: named('titan-(?:text|tg1)'),
    examples: ['amazon.titan-text-premier-v1:0', 'amazon.titan-text-express-v1'],
    facts: said(FEATURES, {
      reasoning: 'none',
      system_role: 'user',
      most_tools: 0,
      image_types: [],
      format: 'none',
      temperature_most: 1,
    }),
  },
  {
    family: 'llama-3.2 with pictures, llama-4',
    maker: 'Meta',
    names: named('llama-?4|llama-?3[.-]2-(?:11|90)b'),
    examples: ['us.meta.llama4-maverick-17b-instruct-v1:0', 'meta.llama3-2-90b-instruct-v1:0', 'llama-4-scout'],
    facts: {},
    on: { 'bedrock-converse': LLAMA_ON_CONVERSE },
  },
  {
    family: 'llama',
    maker: 'Meta',
    names: named('llama-?[23]'),
    examples: ['us.meta.llama3-3-70b-instruct-v1:0', 'meta.llama3-1-8b-instruct-v1:0'],
    facts: {},
    on: { 'bedrock-converse': { ...LLAMA_ON_CONVERSE, ...said(FEATURES, { image_types: [] }) } },
  },
  {
    family: 'jamba',
    maker: 'AI21',
    names: named('jamba'),
    examples: ['ai21.jamba-1-5-large-v1:0', 'jamba-large-1.7'],
    facts: {},
    on: { 'bedrock-converse': said(FEATURES, { reasoning: 'none', image_types: [], format: 'none' }) },
  },
]

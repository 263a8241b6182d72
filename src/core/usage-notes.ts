/**
 * What is to be said of the counts of a record.
 * - `input_above_bytes`: more input was reported than the request's bytes explain; it was charged as reported.
 * - `input_above_limit`, `output_above_limit`: more was reported than can be; what can be at most was charged.
 * - `input_reported_as_none`, `output_reported_as_none`: a prompt or an answer was reported as nothing, and counted here.
 * - `hidden_output`: thinking that was not shown and not reported was charged by what the model's last answers had.
 * - `left_unanswered`: the client left before anything came; the input that was sent was charged.
 */
export const USAGE_NOTES = [
  'input_above_bytes',
  'input_above_limit',
  'output_above_limit',
  'input_reported_as_none',
  'output_reported_as_none',
  'hidden_output',
  'left_unanswered',
] as const
export type UsageNote = (typeof USAGE_NOTES)[number]

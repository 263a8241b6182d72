/**
 * What is to be said of the counts of a record.
 * - `input_above_bytes`: more input was reported than the request's bytes explain; it was charged as reported.
 * - `input_above_limit`, `output_above_limit`: more was reported than can be; what can be at most was charged.
 * - `input_reported_as_none`, `output_reported_as_none`: a prompt or an answer was reported as nothing, and counted here.
 * - `hidden_output`: thinking that was not shown and not reported was charged by what the model's last answers had.
 * - `calls_above_limit`: more calls of the provider's own tools were reported than are believed; so many were charged.
 * - `terms_unpriced`: the answer named a class of service or a place that has no price; the plain price was charged.
 * - `calls_unpriced`: the provider ran a tool of its own for which the model has no fee; its calls were not charged.
 * - `left_unanswered`: the client left before anything came; the input that was sent was charged, or the images that were asked for.
 * - `input_at_bound`: the request brought in what its bytes do not show, and no usage came; all that the model can read was
 *   charged.
 * - `kept_answer`: the response cache of its group gave the answer; no provider was asked.
 * - `hedged_away`: it was sent to a second target beside the first, and called off before it had answered; what it may have
 *   cost at its provider is in no account's books.
 */
export const USAGE_NOTES = [
  'input_above_bytes',
  'input_above_limit',
  'output_above_limit',
  'input_reported_as_none',
  'output_reported_as_none',
  'hidden_output',
  'calls_above_limit',
  'terms_unpriced',
  'calls_unpriced',
  'left_unanswered',
  'input_at_bound',
  'kept_answer',
  'hedged_away',
] as const
export type UsageNote = (typeof USAGE_NOTES)[number]

/**
 * What every admin hears of, beside budgets. Each comes once an hour at most for each thing that it is about.
 *
 * - `doubted_usage`: an upstream reports usage that is not believed.
 * - `credential_held`: a provider refuses a credential, or says that its account has nothing left.
 * - `credential_spend_cap`: a credential has cost what it may in a day, and rests until midnight.
 * - `upstream_spend_cap`, `target_spend_cap`: the same of an upstream, and of a model's target there.
 * - `spend_cap_near`: one of them, or a credential, has cost four fifths of that.
 * - `model_unserved`: a model's requests fail one after the other, and none is answered.
 * - `settlement_set_aside`: the database will not take a settlement, which is in no book.
 * - `backup_old`: the newest backup is older than it may be, or there is none.
 * - `payment_held`: money came for an order that could not be credited.
 * - `refund_held`: a provider paid back more than is left of an order, or in another currency.
 * - `store_failing`: the database does not answer. It is posted directly, since no alert can be stored then.
 */
export const ADMIN_ALERTS = [
  'doubted_usage',
  'credential_held',
  'credential_spend_cap',
  'upstream_spend_cap',
  'target_spend_cap',
  'spend_cap_near',
  'model_unserved',
  'settlement_set_aside',
  'backup_old',
  'payment_held',
  'refund_held',
  'store_failing',
] as const
export type AdminAlertKind = (typeof ADMIN_ALERTS)[number]

export function isAdminAlert(kind: string): kind is AdminAlertKind {
  return ADMIN_ALERTS.some((each) => each === kind)
}

export interface AdminAlertStore {
  /**
   * Notes it for each admin, once for each hour of `nowMs`. `about`: the name of an upstream, of a credential or
   * target with its upstream's, or of a model.
   */
  tellAdmins(trouble: { readonly kind: AdminAlertKind; readonly about: string }, nowMs: number): Promise<void>
}

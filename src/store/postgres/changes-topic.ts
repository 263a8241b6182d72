/** What the transaction that records a change notifies, and every gateway on PostgreSQL listens to. */
export const CHANGES_TOPIC = 'tollgate_changes'

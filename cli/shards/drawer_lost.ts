/** Thrown when a thread or process that drew a shard ended for an unknown reason; its draws are lost. */
export class DrawerLost extends Error {
  /** The name of this class. */
  override readonly name = "DrawerLost";
}

/** Time limits of one upstream, in ms. */
export interface Clocks {
  /** Until a connection stands. */
  connect: number;
  /** From the request to the response's head. */
  head: number;
  /** Of a streamed answer: from the request to its first data event. */
  firstEvent: number;
  /** Between two pieces of an answer. */
  idle: number;
  /** The whole call with all its attempts. */
  total: number;
}

/*
 * The subject protocol of dpcheck, spoken for a function of rows of numbers. One file without dependencies, for C99 and C++ on
 * POSIX systems: copy it beside your program.
 *
 *   void noisy_sum(dpcheck_rows rows, double *output) { ... output[0] = ...; }
 *   int main(void) { return dpcheck_serve(noisy_sum, 1); }
 *
 * Then: dpcheck audit --exec ./program ...
 */
#ifndef DPCHECK_H
#define DPCHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A dataset: `count` rows of `width` numbers each, row after row. A row that is no list has width 1; true is 1, false is 0. */
typedef struct {
  const double *values;
  size_t count;
  size_t width;
} dpcheck_rows;

/* Writes one output, as many doubles as were said to dpcheck_serve. */
typedef void (*dpcheck_function)(dpcheck_rows rows, double *output);

/* A dataset that grows while it is read. */
typedef struct {
  double *values;
  size_t used, room, count, width;
} dpcheck_dataset;

static inline void dpcheck_fail(const char *why) {
  fprintf(stderr, "dpcheck.h: %s\n", why);
  exit(1);
}

static inline void *dpcheck_grown(void *memory, size_t bytes) {
  void *grown = realloc(memory, bytes);
  if (grown == NULL) dpcheck_fail("out of memory");
  return grown;
}

/* Takes this character if it comes next. */
static inline int dpcheck_take(const char **at, char wanted) {
  if (**at != wanted) return 0;
  ++*at;
  return 1;
}

static inline void dpcheck_need(const char **at, char wanted) {
  if (!dpcheck_take(at, wanted)) {
    dpcheck_fail("a dataset must be a list of numbers, booleans, or lists of them");
  }
}

static inline void dpcheck_read_number(const char **at, dpcheck_dataset *dataset) {
  double value = 0;
  if (strncmp(*at, "true", 4) == 0 || strncmp(*at, "false", 5) == 0) {
    value = **at == 't';
    *at += **at == 't' ? 4 : 5;
  } else {
    char *end;
    value = strtod(*at, &end);
    if (end == *at) dpcheck_need(at, '0');
    *at = end;
  }
  if (dataset->used == dataset->room) {
    dataset->room = 2 * dataset->room + 64;
    dataset->values = (double *)dpcheck_grown(dataset->values, dataset->room * sizeof(double));
  }
  dataset->values[dataset->used++] = value;
}

/* Reads a dataset in JSON, without blanks, as dpcheck writes it. */
static inline void dpcheck_read_dataset(const char **at, dpcheck_dataset *dataset) {
  dataset->used = dataset->count = dataset->width = 0;
  dpcheck_need(at, '[');
  if (dpcheck_take(at, ']')) return;
  do {
    size_t before = dataset->used;
    if (!dpcheck_take(at, '[')) {
      dpcheck_read_number(at, dataset);
    } else if (!dpcheck_take(at, ']')) {
      do dpcheck_read_number(at, dataset);
      while (dpcheck_take(at, ','));
      dpcheck_need(at, ']');
    }
    if (dataset->count++ == 0) dataset->width = dataset->used - before;
    if (dataset->used - before != dataset->width) dpcheck_fail("rows must be of equal length");
  } while (dpcheck_take(at, ','));
  dpcheck_need(at, ']');
}

/* Reads a line into a buffer that grows; 0 at the end of input. */
static inline int dpcheck_read_line(char **line, size_t *room) {
  size_t used = 0;
  int next;
  while ((next = getc(stdin)) != EOF && next != '\n') {
    if (used + 1 >= *room) *line = (char *)dpcheck_grown(*line, *room = 2 * *room + 256);
    (*line)[used++] = (char)next;
  }
  if (next == EOF) return 0;
  if (*room == 0) *line = (char *)dpcheck_grown(*line, *room = 256);
  (*line)[used] = '\0';
  return 1;
}

/* Writes all of the bytes; 0 where nobody reads them. */
static inline int dpcheck_write(int file, const unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written <= 0) return 0;
    bytes += written;
    count -= (size_t)written;
  }
  return 1;
}

/*
 * Answers dpcheck with outputs of f, of `width` doubles each, until the input ends; returns 0, the exit status. What f prints goes
 * to standard error. f has no way to give an error as an output: where it ends the program, the audit has failed. Keep the "C" locale's
 * decimal point (LC_NUMERIC).
 */
static inline int dpcheck_serve(dpcheck_function f, size_t width) {
  int answers = dup(1);
  char *line = NULL, greeting[100];
  size_t room = 0;
  dpcheck_dataset datasets[2] = {{NULL, 0, 0, 0, 0}, {NULL, 0, 0, 0, 0}};
  double *output = (double *)dpcheck_grown(NULL, (width + 1) * sizeof(double));
  unsigned char *bytes = (unsigned char *)dpcheck_grown(NULL, (width + 1) * 8);
  /* Outputs of a request are sent together, or in parts of so many bytes. */
  const size_t most = 1 << 16;
  unsigned char *waiting = (unsigned char *)dpcheck_grown(NULL, most + (width + 1) * 8);
  fflush(stdout);
  if (answers < 0 || dup2(2, 1) < 0) dpcheck_fail("standard output cannot be kept");
  snprintf(greeting, sizeof greeting, "{\"dpcheck\":1,\"order\":true,\"binary\":\"f64\",\"width\":%lu}\n",
           (unsigned long)width);
  if (!dpcheck_write(answers, (const unsigned char *)greeting, strlen(greeting))) return 0;
  while (dpcheck_read_line(&line, &room)) {
    static const char key[] = "\"datasets\":", order[] = ",\"order\":";
    const char *at = strstr(line, key);
    size_t used = 0;
    if (at == NULL) dpcheck_fail("a request must have datasets");
    at += sizeof key - 1;
    dpcheck_need(&at, '[');
    dpcheck_read_dataset(&at, &datasets[0]);
    dpcheck_need(&at, ',');
    dpcheck_read_dataset(&at, &datasets[1]);
    dpcheck_need(&at, ']');
    if (strncmp(at, order, sizeof order - 1) != 0) dpcheck_fail("a request must have an order");
    at += sizeof order - 1;
    if (!dpcheck_take(&at, '[')) dpcheck_fail("an order must be a list");
    while (*at == '0' || *at == '1') {
      const dpcheck_dataset *dataset = &datasets[*at++ - '0'];
      dpcheck_rows rows = {dataset->values, dataset->count, dataset->width};
      size_t i, k;
      f(rows, output);
      for (i = 0; i < width; i++) {
        uint64_t bits;
        memcpy(&bits, &output[i], sizeof bits);
        for (k = 0; k < 8; k++) bytes[8 * i + k] = (unsigned char)(bits >> (8 * k));
      }
      memcpy(waiting + used, bytes, 8 * width);
      used += 8 * width;
      if (used >= most) {
        if (!dpcheck_write(answers, waiting, used)) return 0;
        used = 0;
      }
      dpcheck_take(&at, ',');
    }
    if (!dpcheck_write(answers, waiting, used)) return 0;
  }
  fflush(stdout);
  free(line);
  free(output);
  free(bytes);
  free(waiting);
  free(datasets[0].values);
  free(datasets[1].values);
  return 0;
}

#endif

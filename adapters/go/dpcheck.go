// Package dpcheck speaks the subject protocol of dpcheck for a function of rows. One file without dependencies, for Go 1.18 and later.
package dpcheck

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
)

type request[Row any] struct {
	ID       int64    `json:"id"`
	Datasets [2][]Row `json:"datasets"`
	Order    []int    `json:"order"`
}

// Serve answers dpcheck with outputs of f until the input ends. Row is what a row of JSON becomes: float64, bool, string, []float64,
// a struct. An output is what encoding/json takes, and numbers may be NaN or infinite where they are float64 or []float64.
// A panic of f is an output: its message. What f prints goes to standard error.
func Serve[Row any](f func(rows []Row) any) {
	each(`{"dpcheck":1,"order":true}`, func(asked request[Row], answers io.Writer) {
		var text bytes.Buffer
		errors := map[int]string{}
		for i, side := range asked.Order {
			if i > 0 {
				text.WriteByte(',')
			}
			before := text.Len()
			if message := drawn(f, asked.Datasets[side], &text); message != nil {
				errors[i] = *message
				text.Truncate(before)
				text.WriteString("null")
			}
		}
		fmt.Fprintf(answers, "{\"id\":%d,\"outputs\":[%s]", asked.ID, text.Bytes())
		if len(errors) > 0 {
			encoded, _ := json.Marshal(errors)
			fmt.Fprintf(answers, ",\"errors\":%s", encoded)
		}
		fmt.Fprintln(answers, "}")
	})
}

// ServeDoubles is Serve for outputs of width numbers each, which are sent as they are in memory: faster. A panic ends the program.
func ServeDoubles[Row any](width int, f func(rows []Row) []float64) {
	greeting := fmt.Sprintf(`{"dpcheck":1,"order":true,"binary":"f64","width":%d}`, width)
	each(greeting, func(asked request[Row], answers io.Writer) {
		for _, side := range asked.Order {
			output := f(asked.Datasets[side])
			if len(output) != width {
				panic(fmt.Sprintf("dpcheck: f must return %d numbers, as width says, not %d", width, len(output)))
			}
			if err := binary.Write(answers, binary.LittleEndian, output); err != nil {
				panic(err)
			}
		}
	})
}

// each answers every request line. Standard output is kept for answers.
func each[Row any](greeting string, answer func(asked request[Row], answers io.Writer)) {
	answers := bufio.NewWriter(os.Stdout)
	os.Stdout = os.Stderr
	fmt.Fprintln(answers, greeting)
	answers.Flush()
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request[Row]
		if err := json.Unmarshal(line, &asked); err != nil {
			fmt.Fprintln(os.Stderr, "dpcheck: a request must hold rows of the type that was said:", err)
			os.Exit(1)
		}
		answer(asked, answers)
		if answers.Flush() != nil {
			return
		}
	}
}

// drawn writes one output, or returns why there is none.
func drawn[Row any](f func(rows []Row) any, rows []Row, text *bytes.Buffer) (message *string) {
	defer func() {
		if reason := recover(); reason != nil {
			why := fmt.Sprint(reason)
			message = &why
		}
	}()
	switch output := f(rows).(type) {
	case float64:
		text.WriteString(number(output))
	case []float64:
		text.WriteByte('[')
		for i, value := range output {
			if i > 0 {
				text.WriteByte(',')
			}
			text.WriteString(number(value))
		}
		text.WriteByte(']')
	default:
		encoded, err := json.Marshal(output)
		if err != nil {
			why := err.Error()
			return &why
		}
		text.Write(encoded)
	}
	return nil
}

// number is JSON, or NaN, Infinity or -Infinity bare, which dpcheck reads.
func number(value float64) string {
	switch {
	case math.IsNaN(value):
		return "NaN"
	case math.IsInf(value, 1):
		return "Infinity"
	case math.IsInf(value, -1):
		return "-Infinity"
	}
	encoded, _ := json.Marshal(value)
	return string(encoded)
}

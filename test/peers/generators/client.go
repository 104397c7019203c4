// Ten calls by the client that oapi-codegen generated into the package api. Prints the answers.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"generated/api"
)

// must returns the answer of a call, or exits with its error.
func must[T any](answer T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return answer
}

func to[T any](value T) *T { return &value }

func main() {
	ctx := context.Background()
	sign := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	client := must(api.NewClientWithResponses(os.Getenv("API_URL"), api.WithRequestEditorFn(sign)))
	today := must(time.Parse(time.DateOnly, os.Getenv("TODAY")))

	usage := api.UsageBody{Consent: true}
	must(0, json.Unmarshal([]byte(`[{"product_id": 4, "launches": 3}]`), &usage.Days))
	usage.Days[0].UsageDate = openapi_types.Date{Time: today}

	ids := []int64{}
	products := must(client.ListProductsWithResponse(ctx, &api.ListProductsParams{Q: to("hash"), Sort: to(api.ListProductsParamsSort("name"))}))
	for _, product := range products.JSON200.Products {
		ids = append(ids, product.Id)
	}
	library := must(client.GetLibraryWithResponse(ctx, nil))
	product := must(client.GetProductWithResponse(ctx, 4, nil))
	releases := must(client.ListReleasesWithResponse(ctx, 4, nil))
	update := must(client.GetUpdateWithResponse(ctx, 4, &api.GetUpdateParams{Version: to("1.0.0"), Platform: to(api.GetUpdateParamsPlatform("linux-amd64"))}))
	plan := must(client.PlanInstallWithResponse(ctx, 4, &api.PlanInstallParams{Platform: to(api.PlanInstallParamsPlatform("linux-amd64"))}))
	license := must(client.CheckLicenseWithResponse(ctx, nil, api.LicenseCheckBody{ProductId: to(int64(4)), DeviceId: to("generated")}))
	stored := must(client.UploadUsageWithResponse(ctx, usage))
	report := must(client.ReportProblemWithResponse(ctx, &api.ReportProblemParams{IdempotencyKey: to("go")}, api.SupportReportBody{
		Kind: api.SupportReportBodyKind("general"), Summary: "A report", Detail: "From a generated client.",
	}))
	invoices := must(client.ListInvoicesWithResponse(ctx, &api.ListInvoicesParams{Limit: to(5)}))

	ticket := report.JSON201
	if ticket == nil {
		ticket = report.JSON200
	}
	must(0, json.NewEncoder(os.Stdout).Encode([]any{
		len(library.JSON200.Items),
		ids,
		product.JSON200.Product.Name,
		len(releases.JSON200.Releases),
		update.JSON200.Update.UpdateAvailable,
		plan.JSON200.Data.Filename,
		license.JSON200.Code,
		stored.JSON200.Stored,
		ticket.Ticket.Id,
		len(invoices.JSON200.Invoices),
	}))
}
